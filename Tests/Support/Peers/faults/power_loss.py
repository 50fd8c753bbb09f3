"""What a disk may contain after a power loss, from the recorded calls of programs.

    states = PowerLoss(calls, folder_before)
    states.write(at=17, policy="torn", seed=3, target=FOLDER)    # as if power was lost before call 17

Only what was synced is certain: the bytes of a file since its last fsync, and the names in a folder since the last fsync of
that folder. The policy decides about the rest:

- `none`: nothing that was not synced is there; `all`: everything is there
- `some`: each write or truncation is there or not, in any combination, so that later ones may be there without earlier ones
- `torn`: so is each sector of 512 bytes

Names appear in the order of their calls, as file systems keep a journal of them; how many is random with `some` and `torn`.
A file whose name is there while its bytes are not is empty or has holes.
"""

import dataclasses
import pathlib
import random
import shutil

SECTOR = 512
POLICIES = ("none", "all", "some", "torn")


@dataclasses.dataclass
class File:
    durable: bytearray
    pending: list


class PowerLoss:
    def __init__(self, calls, before=None, syncs=True):
        """`syncs` is False for the control: then no call makes anything durable."""
        self.calls, self.syncs = calls, syncs
        self.before = {}
        self.folders_before = set()
        for path in pathlib.Path(before).rglob("*") if before and pathlib.Path(before).exists() else ():
            name = str(path.relative_to(before))
            if path.is_dir():
                self.folders_before.add(name)
            else:
                self.before[name] = path.read_bytes()

    def run(self, at):
        """Returns the names now, the durable names, the changes of names that are not durable, and the durable folders."""
        names = {name: File(bytearray(data), []) for name, data in self.before.items()}
        durable, pending, folders = dict(names), [], set(self.folders_before)
        for call in self.calls[:at]:
            file = names.get(call.path)
            if call.name in ("write", "truncate"):
                if file:
                    file.pending.append(call)
            elif call.name == "fsync":
                if not self.syncs:
                    continue
                if file:
                    for one in file.pending:
                        apply(file.durable, one, None)
                    file.pending = []
                else:
                    kept = []
                    for change in pending:
                        if parent(change[1]) == call.path or change[2] and parent(change[2]) == call.path:
                            rename(durable, folders, change)
                        else:
                            kept.append(change)
                    pending = kept
            elif call.name in ("create", "rename", "link", "unlink", "mkdir", "rmdir"):
                if call.name == "create":
                    file = File(bytearray(), [])
                    names[call.path] = file
                elif call.name in ("rename", "link") and file:
                    if call.name == "rename":
                        del names[call.path]
                    names[call.other] = file
                elif call.name == "unlink":
                    names.pop(call.path, None)
                pending.append((call.name, call.path, call.other, file))
        return durable, pending, folders

    def write(self, at, policy, seed, target):
        chance = random.Random(f"{at} {policy} {seed}")
        durable, pending, folders = self.run(at)
        count = {"none": 0, "all": len(pending)}.get(policy)
        for change in pending[:chance.randint(0, len(pending)) if count is None else count]:
            rename(durable, folders, change)
        target = pathlib.Path(target)
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True, mode=0o700)
        for folder in sorted(folders):
            if folder != ".":
                (target / folder).mkdir(mode=0o700, exist_ok=True, parents=True)
        written = {}
        for name, file in durable.items():
            if id(file) not in written:
                content = bytearray(file.durable)
                for call in file.pending:
                    if policy == "all" or policy != "none" and chance.random() < 0.5:
                        apply(content, call, chance if policy == "torn" else None)
                written[id(file)] = bytes(content)
            path = target / name
            if path.parent.is_dir():
                path.write_bytes(written[id(file)])
                path.chmod(0o600)


def parent(path):
    return str(pathlib.PurePosixPath(path).parent)


def rename(names, folders, change):
    """Applies a change of names."""
    name, path, other, file = change
    if name == "create" or name == "link":
        names[other if name == "link" else path] = file
    elif name == "rename":
        # A renamed folder is not expected here.
        names.pop(path, None)
        if file:
            names[other] = file
    elif name == "unlink":
        names.pop(path, None)
    elif name == "mkdir":
        folders.add(path)
    elif name == "rmdir":
        folders.discard(path)


def apply(content, call, chance):
    """Applies a write or truncation; with `chance`, each sector of a write with a probability of one half."""
    if call.name == "truncate":
        if len(content) > call.offset:
            del content[call.offset:]
        else:
            content.extend(bytes(call.offset - len(content)))
        return
    at, end = call.offset, call.offset + len(call.data)
    while at < end:
        part = min(end, (at // SECTOR + 1) * SECTOR)
        if chance is None or chance.random() < 0.5:
            if len(content) < part:
                content.extend(bytes(part - len(content)))
            content[at:part] = call.data[at - call.offset:part - call.offset]
        at = part
