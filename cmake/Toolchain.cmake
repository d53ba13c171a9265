# Chooses clang-22, lld-22 and ccache where they are installed and nothing else was asked for; before project().

if(NOT DEFINED CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX})
  find_program(AMP_CLANG NAMES clang-22)
  find_program(AMP_CLANGXX NAMES clang++-22)
  if(AMP_CLANG AND AMP_CLANGXX)
    set(CMAKE_C_COMPILER ${AMP_CLANG} CACHE STRING "C compiler")
    set(CMAKE_CXX_COMPILER ${AMP_CLANGXX} CACHE STRING "C++ compiler")
    find_program(AMP_LLD NAMES ld.lld-22)
    if(AMP_LLD)
      foreach(kind EXE MODULE SHARED)
        set(CMAKE_${kind}_LINKER_FLAGS "-fuse-ld=lld-22" CACHE STRING "linker flags")
      endforeach()
    endif()
  endif()
endif()

# With the base folder, a clone in another folder finds in the cache what this one compiled.
find_program(AMP_CCACHE NAMES ccache)
if(AMP_CCACHE)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_CURRENT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${AMP_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER "${launcher}" CACHE STRING "compiler launcher")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${launcher}" CACHE STRING "compiler launcher")
endif()
