#include "identity/log_name.h"

#include <gtest/gtest.h>

namespace oomen::identity {
namespace {

const std::string kId(64, '7');

TEST(LogName, PartsANameWithDashesEverywhere) {
  auto name = parse_log_name("my-app-5f6585d649-fnmft_kube-system_side-car-" + kId + ".log");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->pod, "my-app-5f6585d649-fnmft");
  EXPECT_EQ(name->namespace_name, "kube-system");
  EXPECT_EQ(name->container, "side-car");
  EXPECT_EQ(name->container_id, kId);
}

TEST(LogName, RefusesWhatIsNone) {
  for (const std::string& name :
       {std::string(), std::string(".log"), "a_b_c-" + kId, "a_b-" + kId + ".log",
        "_b_c-" + kId + ".log", "a__c-" + kId + ".log", "a_b_-" + kId + ".log",
        std::string("a_b_c-77.log")})
    EXPECT_FALSE(parse_log_name(name)) << name;
}

}  // namespace
}  // namespace oomen::identity
