//===- JsonLocationsTest.cpp - where the members of a JSON text stand -----===//

#include "JsonLocations.h"
#include "gtest/gtest.h"

using namespace amp;

TEST(JsonLocations, MembersOfObjectsAndArrays) {
  JsonLocations locations("{\n  \"a\": {\"b.c\" : [10, \"x\"]},\n\t\"d\":null}");
  EXPECT_EQ(locations.formatKey("/a"), "2:3");
  EXPECT_EQ(locations.formatValue("/a"), "2:8");
  EXPECT_EQ(locations.formatKey("/a/b.c"), "2:9");
  EXPECT_EQ(locations.formatValue("/a/b.c"), "2:17");
  EXPECT_EQ(locations.formatValue("/a/b.c/0"), "2:18");
  EXPECT_EQ(locations.formatValue("/a/b.c/1"), "2:22");
  EXPECT_EQ(locations.formatKey("/d"), "3:2");
  EXPECT_EQ(locations.formatValue("/d"), "3:6");
  EXPECT_FALSE(locations.getDuplicate());
}

TEST(JsonLocations, EscapesInStrings) {
  JsonLocations locations(R"({"a\"}\\": "{[\"", "\u0062": 1})");
  EXPECT_EQ(locations.formatValue("/a\"}\\"), "1:12");
  EXPECT_EQ(locations.formatKey("/b"), "1:20");
}

TEST(JsonLocations, Duplicates) {
  JsonLocations locations("{\"a\": {\"x\": 1},\n \"b\": {\"x\": 1, \"x\": 2}}");
  ASSERT_TRUE(locations.getDuplicate());
  EXPECT_EQ(locations.getDuplicate()->first, "2:16");
  EXPECT_EQ(locations.getDuplicate()->second, "/b/x");
}
