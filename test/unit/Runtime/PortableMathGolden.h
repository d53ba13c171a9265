//===- PortableMathGolden.h - made by test/golden/portable_math.py ---------===//

struct PortableMathGolden {
  double x, log, cosTurns;
};

static constexpr PortableMathGolden portableMathGolden[] = {
    {0x1.3333333333333p-2, -0x1.34378fcbda721p+0, -0x1.3c6ef372fe94ep-2},
    {0x1.ccccccccccccdp-1, -0x1.af8e8210a415cp-4, 0x1.9e3779b97f4a8p-1},
    {0x1.0000000000000p-53, -0x1.25e4f7b2737fap+5, 0x1.0000000000000p+0},
    {0x1.6a09e667f3bcdp-1, -0x1.62e42fefa39eep-2, -0x1.10a53d89d00c6p-2},
    {0x1.fffffffffffffp-1, -0x1.0000000000000p-53, 0x1.0000000000000p+0},
    {0x1.020c49ba5e354p-3, -0x1.09260a19b408ep+1, 0x1.67c1bca1a4946p-1},
    {0x1.4000218def417p-1, -0x1.e1483642ada30p-2, -0x1.6a095153c2242p-1},
};
