# Writes C++ entries `{"name", R"amp(text)amp"},` for text files: cmake -DOUTPUT=FILE -DINPUTS=FILE;... -P EmbedText.cmake
set(text "")
foreach(input IN LISTS INPUTS)
  get_filename_component(name "${input}" NAME_WE)
  file(READ "${input}" content)
  string(APPEND text "{\"${name}\", R\"amp(${content})amp\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
