#include "source/bpf_programs.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <cstdarg>
#include <cstdio>
#include <set>

#include "oomen.skel.h"

namespace oomen::source {
namespace {

using Link = std::unique_ptr<bpf_link, int (*)(bpf_link*)>;
using Names = std::set<std::string, std::less<>>;

// libbpf talks through one function of the process: this library keeps what it says of a failure
// and prints nothing.
thread_local std::string* listening = nullptr;

int keep_message(libbpf_print_level level, const char* format, va_list arguments) {
  char line[4096];
  if (level == LIBBPF_DEBUG || !listening) return 0;
  int length = std::vsnprintf(line, sizeof(line), format, arguments);
  if (length > 0) listening->append(line, std::min<size_t>(length, sizeof(line) - 1));
  return length;
}

class Listening {
 public:
  Listening() : before_(libbpf_set_print(keep_message)) { listening = &log_; }
  ~Listening() {
    listening = nullptr;
    libbpf_set_print(before_);
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  const std::string& log() const { return log_; }

 private:
  libbpf_print_fn_t before_;
  std::string log_;
};

std::string explain(int error, const KernelFacts& facts, bool by_perf_event) {
  std::string text = std::strerror(error);
  std::string cause = likely_cause(error, facts, by_perf_event);
  return cause.empty() ? text : text + " (" + cause + ")";
}

Names programs_of(std::span<const HookPlan> plans) {
  Names names;
  for (const HookPlan& plan : plans)
    for (const Candidate& candidate : plan.ladder)
      if (candidate.objection.empty())
        for (const BpfProgram& program : candidate.rung->programs) names.emplace(program.name);
  return names;
}

}  // namespace

struct BpfPrograms::Skeleton {
  std::unique_ptr<oomen_bpf, void (*)(oomen_bpf*)> bpf{nullptr, oomen_bpf::destroy};
  std::vector<Link> links;

  bool open(const KernelFacts& facts, const BpfSettings& settings, const Names& wanted) {
    bpf.reset(oomen_bpf::open());
    if (!bpf) return false;
    bpf->rodata->memory_hierarchy_id = settings.memory_hierarchy_id;
    bpf->rodata->victim_is_task = facts.victim_is_task;
    bpf->rodata->quantum_pages = settings.quantum_pages;
    bpf->rodata->period_ns = settings.period_ns;
    bpf_map__set_max_entries(bpf->maps.events, settings.ring_bytes);
    bpf_program* program;
    bpf_object__for_each_program(program, bpf->obj)
        bpf_program__set_autoload(program, wanted.contains(bpf_program__name(program)));
    return true;
  }
};

BpfPrograms::BpfPrograms(std::unique_ptr<Skeleton> skeleton) : skeleton_(std::move(skeleton)) {}
BpfPrograms::~BpfPrograms() = default;

base::Result<std::unique_ptr<BpfPrograms>> BpfPrograms::load(const KernelFacts& facts,
                                                             const BpfSettings& settings) {
  if (!facts.btf_error.empty()) return base::Error{facts.btf_error};
  Refusals refused;
  for (;;) {  // ends: each turn refuses one program more
    std::vector<HookPlan> plans = plan_hooks(facts, refused, settings.plan);
    auto skeleton = std::make_unique<Skeleton>();
    Listening messages;
    if (!skeleton->open(facts, settings, programs_of(plans)))
      return base::errno_error("opening the BPF programs");
    int error = -oomen_bpf::load(skeleton->bpf.get());
    if (error == 0) {
      std::unique_ptr<BpfPrograms> loaded(new BpfPrograms(std::move(skeleton)));
      loaded->attach(facts, plans);
      return loaded;
    }
    auto program = failed_program(messages.log());
    std::string why = "does not load: " + explain(error, facts, false);
    if (!program || refused.contains(*program)) return base::Error{why, error};
    std::string detail = failure_detail(messages.log());
    refused[*program] = *program + " " + why + (detail.empty() ? "" : ": " + detail);
  }
}

void BpfPrograms::attach(const KernelFacts& facts, std::span<const HookPlan> plans) {
  for (const HookPlan& plan : plans) hooks_.push_back(attach_hook(facts, plan));
}

model::Hook BpfPrograms::attach_hook(const KernelFacts& facts, const HookPlan& plan) {
  model::Hook hook{std::string(plan.hook), "none", false, {}};
  for (const auto& [rung, objection] : plan.ladder) {
    std::string why_not = objection;
    if (why_not.empty()) {
      auto attached = attach_rung(facts, *rung);
      if (attached) {
        hook.rung = rung->name;
        hook.attached = true;
        return hook;
      }
      why_not = attached.error().message;
    }
    hook.reason += (hook.reason.empty() ? "" : "; ") + std::string(rung->name) + ": " + why_not;
  }
  return hook;
}

base::Result<void> BpfPrograms::attach_rung(const KernelFacts& facts, const Rung& rung) {
  std::vector<Link> links;
  for (const BpfProgram& one : rung.programs) {
    bpf_program* program =
        bpf_object__find_program_by_name(skeleton_->bpf->obj, std::string(one.name).c_str());
    Link link(bpf_program__attach(program), bpf_link__destroy);
    if (!link) {
      int error = errno;
      return base::Error{std::string(one.target) + ": " + explain(error, facts, rung.by_perf_event),
                         error};
    }
    if (rung.hook == "tasks") task_iterator_fd_ = bpf_link__fd(link.get());
    links.push_back(std::move(link));
  }
  for (Link& link : links) skeleton_->links.push_back(std::move(link));
  return {};
}

int BpfPrograms::events_fd() const { return bpf_map__fd(skeleton_->bpf->maps.events); }
int BpfPrograms::mms_fd() const { return bpf_map__fd(skeleton_->bpf->maps.mms); }
int BpfPrograms::cgroups_fd() const { return bpf_map__fd(skeleton_->bpf->maps.cgroups); }

uint32_t BpfPrograms::next_pass() { return ++skeleton_->bpf->bss->pass; }

std::span<const uint64_t> BpfPrograms::losses() const {
  const auto& lost = skeleton_->bpf->bss->lost;
  static_assert(sizeof(lost[0]) == sizeof(uint64_t));
  return {reinterpret_cast<const uint64_t*>(lost), std::size(lost)};
}

uint64_t BpfPrograms::skipped_runs() const {
  uint64_t runs = 0;
  bpf_program* program;
  bpf_object__for_each_program(program, skeleton_->bpf->obj) {
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    int fd = bpf_program__fd(program);
    if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0) runs += info.recursion_misses;
  }
  return runs;
}

std::vector<int> BpfPrograms::map_fds() const {
  std::vector<int> fds;
  bpf_map* map;
  bpf_object__for_each_map(map, skeleton_->bpf->obj) fds.push_back(bpf_map__fd(map));
  return fds;
}

}  // namespace oomen::source
