#include "sink/listen_address.h"

#include <gtest/gtest.h>

namespace oomen::sink {
namespace {

TEST(ListenAddress, FormsPeopleWrite) {
  for (auto [text, same] : {std::pair{"127.0.0.1:9747", "127.0.0.1:9747"},
                            {"localhost:0", "127.0.0.1:0"},
                            {":9747", ":9747"},
                            {"[::1]:9747", "[::1]:9747"},
                            {"0.0.0.0:65535", "0.0.0.0:65535"}}) {
    auto address = parse_listen_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), same);
  }
}

TEST(ListenAddress, OtherFormsAreBadInputThatIsNamed) {
  for (const char* text :
       {"", "9747", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "1.2.3.4:-1", "127.0.0.1:9747s",
        "example.com:80", "::1:9747", "[127.0.0.1]:1", "[]:1", "127.0.0.1:80,127.0.0.1:81"}) {
    auto address = parse_listen_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_TRUE(address.error().bad_input);
    EXPECT_NE(address.error().message.find("'" + std::string(text) + "'"), std::string::npos);
  }
}

}  // namespace
}  // namespace oomen::sink
