"""Checks licences, sources and duplicates of the dependencies by the rules of deny.toml.

For machines without cargo-deny. Looks at the crates of the targets that deny.toml names, as cargo-deny does.
"""
import pathlib, re, subprocess, sys, tomllib

with open("deny.toml", "rb") as file:
    rules = tomllib.load(file)
here = str(pathlib.Path.cwd())
others = set()
for target in rules["graph"]["targets"]:
    # Not cargo metadata: it also lists crates that only features which are off would need.
    command = ["cargo", "tree", "--workspace", "--locked", "--edges", "normal,build", "--prefix", "none"]
    command += ["--format", "{p}\t{l}", "--target", target]
    for line in subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        if line:
            package, licence = line.split("\t")
            name, version, *rest = package.split(" ", 2)
            # In brackets: (*) for one that was listed before, (proc-macro), and any source but crates.io.
            source = re.sub(r"\((\*|proc-macro)\)", "", " ".join(rest)).strip(" ()")
            if not source.startswith(here):
                others.add((name, version.removeprefix("v"), licence.replace(" (*)", ""), source))
others = sorted(others)
problems = []


def allowed(licence, names):
    """Is an SPDX expression true, where a licence is true if its name is among these?"""
    words = re.findall(r"[()]|[^\s()/]+|/", licence)
    # "A WITH B" is one licence, and "/" an old way to write OR.
    text, index = [], 0
    while index < len(words):
        word = words[index]
        if words[index + 1 : index + 2] == ["WITH"]:
            word, index = " ".join(words[index : index + 3]), index + 2
        text.append({"OR": "or", "/": "or", "AND": "and", "(": "(", ")": ")"}.get(word, str(word in names)))
        index += 1
    return eval(" ".join(text), {"__builtins__": {}})


names = set(rules["licenses"]["allow"])
exceptions = {rule["crate"]: set(rule["allow"]) for rule in rules["licenses"].get("exceptions", [])}
for name, version, licence, source in others:
    if not licence or not allowed(licence, names | exceptions.get(name, set())):
        problems.append(f"{name} {version}: deny.toml does not allow its licence: {licence or 'none is named'}")
    if source:
        problems.append(f"{name} {version}: deny.toml allows crates.io alone, found {source}")

skipped = {rule["crate"] for rule in rules["bans"]["skip"]}
versions = {}
for name, version, _, _ in others:
    if f"{name}@{version}" not in skipped:
        versions.setdefault(name, []).append(version)
for name, all in versions.items():
    if len(all) > 1:
        problems.append(f"{name}: {len(all)} versions ({', '.join(all)}); deny.toml must say why")

print(len(others), "crates: licences, sources, duplicates")
sys.exit("\n".join(problems) or 0)
