#include "source/wire_decoder.h"

#include <gtest/gtest.h>

#include <cstring>

#include "wire.h"

namespace oomen::source {
namespace {

constexpr uint64_t kPageBytes = 4096;

template <class Record>
std::vector<std::byte> bytes_of(const Record& record) {
  std::vector<std::byte> bytes(sizeof(record));
  std::memcpy(bytes.data(), &record, sizeof(record));
  return bytes;
}

oomen_header header(oomen_kind kind) { return {kind, 0, 77}; }

template <class Event, class Record>
Event decoded(const Record& record) {
  auto event = WireDecoder(kPageBytes).decode(bytes_of(record));
  EXPECT_TRUE(event && std::holds_alternative<Event>(*event));
  return event ? std::get<Event>(*event) : Event{};
}

oomen_exit exit_record(uint32_t pid, uint64_t start_ns) {
  return {header(OOMEN_EXIT), 5, start_ns, pid, 9, "leaky"};
}

oomen_process process_record(uint32_t pid) {
  oomen_process process{};
  process.pid = pid;
  return process;
}

TEST(WireDecoder, TurnsPagesIntoBytesAlsoBelowZero) {
  auto growth = decoded<model::Growth>(oomen_growth{header(OOMEN_GROWTH), 5, -3});
  EXPECT_EQ(growth.time_ns, 77u);
  EXPECT_EQ(growth.cgroup, 5u);
  EXPECT_EQ(growth.total_bytes, -3 * 4096);
}

TEST(WireDecoder, ReadsANameThatFillsItsFieldToTheEnd) {
  oomen_cgroup_made record{header(OOMEN_CGROUP_MADE), 5, 4, {}};
  std::memset(record.name, 'n', sizeof(record.name));
  auto made = decoded<model::CgroupMade>(record);
  EXPECT_EQ(made.id, 5u);
  EXPECT_EQ(made.parent, 4u);
  EXPECT_EQ(made.name, std::string(OOMEN_NAME_SIZE, 'n'));
}

TEST(WireDecoder, AVictimWithoutACgroupHasNone) {
  oomen_oom_victim record{header(OOMEN_OOM_VICTIM), 0, 12, 13, "", "dd"};
  auto victim = decoded<model::OomVictim>(record);
  EXPECT_FALSE(victim.cgroup);
  EXPECT_EQ(victim.pid, 12);
  EXPECT_EQ(victim.trigger_pid, 13);
  EXPECT_EQ(victim.trigger_comm, "dd");
  record.cgroup = 8;
  EXPECT_EQ(decoded<model::OomVictim>(record).cgroup, 8u);
}

TEST(WireDecoder, AKillHasTargetAndSender) {
  auto kill =
      decoded<model::KillSent>(oomen_kill{header(OOMEN_KILL), 5, 6, 12, 13, 1, 0, "leaky", "runc"});
  EXPECT_EQ(kill.pid, 12);
  EXPECT_EQ(kill.cgroup, 5u);
  EXPECT_EQ(kill.comm, "leaky");
  EXPECT_TRUE(kill.from_kernel);
  EXPECT_EQ(kill.sender_pid, 13);
  EXPECT_EQ(kill.sender_cgroup, 6u);
  EXPECT_EQ(kill.sender_comm, "runc");
}

TEST(WireDecoder, TheOtherKinds) {
  EXPECT_EQ(decoded<model::CgroupRemoved>(oomen_cgroup_removed{header(OOMEN_CGROUP_REMOVED), 5}).id,
            5u);
  auto exec = decoded<model::ProcessExec>(oomen_exec{header(OOMEN_EXEC), 5, 12, 0, "sh"});
  EXPECT_EQ(exec.pid, 12);
  EXPECT_EQ(exec.comm, "sh");
  EXPECT_EQ(decoded<model::ProcessExit>(exit_record(12, 1)).exit_code, 9);
}

TEST(WireDecoder, TellsTheEndOfAProcessOnce) {
  WireDecoder decoder(kPageBytes);
  EXPECT_TRUE(decoder.decode(bytes_of(exit_record(12, 100))));
  EXPECT_FALSE(decoder.decode(bytes_of(exit_record(12, 100))));
  EXPECT_TRUE(decoder.decode(bytes_of(exit_record(12, 200)))) << "the pid again, of another";
  EXPECT_EQ(decoder.malformed(), 0u);
}

TEST(WireDecoder, CountsWhatItDoesNotUnderstand) {
  WireDecoder decoder(kPageBytes);
  auto good = bytes_of(oomen_growth{header(OOMEN_GROWTH), 5, 1});
  for (size_t size = 0; size < good.size(); size++)
    EXPECT_FALSE(decoder.decode(std::span(good).first(size))) << size;
  EXPECT_EQ(decoder.malformed(), good.size());
  good.push_back(std::byte{0});
  EXPECT_FALSE(decoder.decode(good)) << "longer than it may be";
  for (auto kind : {OOMEN_NO_KIND, OOMEN_MMS_FULL, OOMEN_KINDS})
    EXPECT_FALSE(decoder.decode(bytes_of(oomen_growth{header(kind), 5, 1}))) << kind;
  EXPECT_EQ(decoder.malformed(), sizeof(oomen_growth) + 4);
}

TEST(WireDecoder, APassOfTheIterator) {
  oomen_process first = process_record(12);
  first.anon_pages = 10;
  first.file_pages = -2;  // the common part of a per-CPU counter may be
  first.data_vm_pages = 30;
  first.open_files = 7;
  auto bytes = bytes_of(first);
  for (uint32_t pid : {13u, 12u}) {
    auto next = bytes_of(process_record(pid));
    bytes.insert(bytes.end(), next.begin(), next.end());
  }
  WireDecoder decoder(kPageBytes);
  auto samples = decoder.decode_processes(bytes);
  ASSERT_EQ(samples.size(), 2u) << "a process told twice is one";
  EXPECT_EQ(samples[0].anon_bytes, 10 * kPageBytes);
  EXPECT_EQ(samples[0].file_bytes, 0u);
  EXPECT_EQ(samples[0].data_virtual_bytes, 30 * kPageBytes);
  EXPECT_EQ(samples[0].open_files, 7u);
  EXPECT_EQ(samples[1].pid, 13);
}

TEST(WireDecoder, HalfAProcessAtTheEndIsCounted) {
  WireDecoder decoder(kPageBytes);
  auto bytes = bytes_of(process_record(12));
  bytes.resize(bytes.size() + 5);
  EXPECT_EQ(decoder.decode_processes(bytes).size(), 1u);
  EXPECT_EQ(decoder.malformed(), 1u);
  EXPECT_TRUE(decoder.decode_processes({}).empty());
}

TEST(WireDecoder, EveryKindOfLossHasItsName) {
  for (size_t kind = OOMEN_GROWTH; kind <= OOMEN_CGROUPS_FULL; kind++)
    EXPECT_FALSE(loss_name(kind).empty()) << kind;
  EXPECT_EQ(loss_name(OOMEN_KILL), "kill");
  EXPECT_EQ(loss_name(OOMEN_CGROUPS_FULL), "cgroups_full");
  EXPECT_EQ(loss_name(OOMEN_NO_KIND), "");
  EXPECT_EQ(loss_name(OOMEN_KINDS), "");
}

}  // namespace
}  // namespace oomen::source
