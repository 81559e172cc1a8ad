"""layers.py itself, on small trees: a check that can't fail would be worth nothing."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import layers  # noqa: E402

RULES = "base:\nengine: base\nsink: base\napp: base engine sink\n!yaml-cpp/ app/config.cpp\npure engine\n"
GOOD = {
    "base/fd.h": "#include <string>\n",
    "engine/trend.cpp": '#include "engine/trend.h"\n#include <cmath>\n',
    "engine/trend.h": '#include "base/result.h"\n',
    "sink/json.cpp": "#include <sys/stat.h>\nint n = snprintf(nullptr, 0, \"\");\n",
    "app/config.cpp": '#include <yaml-cpp/yaml.h>\n#include "sink/json.h"\nstd::printf("x");\n',
}


def breaches(changes, rules=RULES):
    with tempfile.TemporaryDirectory() as folder:
        userspace = pathlib.Path(folder, "userspace")
        for name, text in {**GOOD, **changes}.items():
            path = userspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (userspace / "LAYERS").write_text(rules)
        return list(layers.check(pathlib.Path(folder)))


class Layers(unittest.TestCase):
    def finds(self, words, changes, rules=RULES):
        found = breaches(changes, rules)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_a_tree_that_keeps_the_rules(self):
        self.assertEqual(breaches({}), [])

    def test_siblings(self):
        self.finds("sink may not include engine", {"sink/x.h": '#include "engine/trend.h"\n'})

    def test_upwards(self):
        self.finds("base may not include app", {"base/x.cpp": '# include "app/config.h"\n'})

    def test_library_in_another_file(self):
        self.finds("belongs to app/config.cpp", {"app/x.cpp": "#include <yaml-cpp/node.h>\n"})

    def test_library_in_a_header(self):
        self.finds("never appears in a .h", {"app/config.h": "#include <yaml-cpp/yaml.h>\n"})

    def test_library_nobody_listed(self):
        self.finds("LAYERS does not know", {"sink/x.cpp": "#include <re2/re2.h>\n"})

    def test_listed_but_unused(self):
        self.finds("nothing includes zstd.h", {}, RULES + "!zstd.h sink/store.cpp\n")

    def test_folder_without_a_rule(self):
        self.finds("missing from LAYERS", {"extra/x.h": ""})

    def test_rule_without_a_folder(self):
        self.finds("ghost has no folder", {}, RULES + "ghost: base\n")

    def test_circle(self):
        self.assertTrue(any("each other" in b for b in breaches({}, RULES.replace("base:", "base: app"))))

    def test_pure(self):
        self.finds("is pure", {"engine/x.cpp": '#include "base/clock.h"\n'})
        self.finds("is pure", {"engine/x.cpp": "#include <fstream>\n"})

    def test_printing(self):
        self.finds("prints", {"engine/x.cpp": 'void f() { fprintf(stderr, "x"); }\n'})
        self.assertEqual(breaches({"engine/x.cpp": "// printf(x) is not for us\n"}), [])


if __name__ == "__main__":
    unittest.main()
