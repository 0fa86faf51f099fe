"""The contract `allowed` for import-linter: which rooms of the house a room may import; all else is forbidden."""

from importlinter import Contract, ContractCheck, fields, output

NOTHING = "-"


class AllowedImports(Contract):
    """`rooms`: lines "room: rooms that it may import", where "-" stands for none.

    A room is a module with all below it; where one room holds another, a module belongs to the inner one. Rooms may
    import what stands outside all rooms, such as the standard library, and every module of `packages` is in a room.
    """

    type_name = "allowed"

    packages = fields.SetField(subfield=fields.StringField())
    rooms = fields.ListField(subfield=fields.StringField())

    def check(self, graph, verbose):
        """Every import between two rooms is allowed, every allowed one is there, and nothing stands outside."""
        allowed = dict(map(self._parse, self.rooms))
        used = set()
        wrong = []
        for module in sorted(graph.modules):
            home = _room(module, allowed)
            if home is None:
                if module.split(".")[0] in self.packages:
                    wrong.append(f"{module} is in no room: name its room in the contract")
                continue
            for imported in graph.find_modules_directly_imported_by(module):
                room = _room(imported, allowed)
                if room is None or room == home:
                    continue
                used.add((home, room))
                if room not in allowed[home]:
                    wrong.append(f"{module} imports {imported}: {home} may not import {room}")
        unused = [(home, room) for home, rooms in allowed.items() for room in rooms if (home, room) not in used]
        wrong += [f"{home} may import {room}, and does not: take it out of the contract" for home, room in unused]
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check):
        """Say what is wrong, a line each."""
        metadata = check.metadata
        for line in metadata["wrong"]:
            output.print_error(line, bold=False)

    @staticmethod
    def _parse(line):
        room, _, others = line.partition(":")
        return room.strip(), frozenset(others.replace(",", " ").split()) - {NOTHING}


def _room(module, rooms):
    """The innermost room that the module is in."""
    parts = module.split(".")
    return next((name for n in range(len(parts), 0, -1) if (name := ".".join(parts[:n])) in rooms), None)
