//===- RandomGolden.h - made by test/golden/random.py ----------------------===//
#include <cstdint>

static constexpr uint64_t goldenSeed = 0x1234567890;
static constexpr uint64_t goldenPositions[] = {0, 1, 2, 3, 1000, 4294967301};
/// Bits of the f32: uniform and normal of the stream "w1".
static constexpr uint32_t goldenUniform[] = {0x3f290043, 0x3ed75fec, 0x3f1d5c2b,
                                             0x3ed86196, 0x3f78241a, 0x3e84d3fc};
static constexpr uint32_t goldenNormal[] = {0xbf73e2e3, 0xbf8df6c5, 0xbecd84e3,
                                            0xbfe06a4d, 0x3c92fd6b, 0x3fb3d1ef};
/// The first elements of "w3", 64 x 10, glorot uniform.
static constexpr uint32_t goldenGlorot[] = {0x3e64956c, 0xbe2d37c9, 0x3c80f5af,
                                            0x3de0a35f, 0x3d792d41, 0xbd8bf3f3};
/// The first elements of "w2", 128 x 64, he normal, in_axis 1.
static constexpr uint32_t goldenHe[] = {0xbd87d4ed, 0xbe7e5e09, 0xbc01f2e9,
                                        0x3debfa9b, 0xbdd17cb3, 0x3e7bd196};
