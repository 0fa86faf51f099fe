"""A perfect matching of least cost in a sparse graph, exactly: who plays whom when every pair has its price.

This is Edmonds' method ("Maximum matching and a polyhedron with 0,1-vertices", 1965) growing one tree at a time, as in
Cook and Rohe, "Computing minimum-weight perfect matchings", 1999. Each vertex v has a price y(v) and each odd set of
vertices that was drawn together into one node, a *blossom*, a price z >= 0. An edge may be used where it is *tight*:
twice its cost is y(u) + y(v) less the prices of the blossoms that hold both ends; it is never less. So the prices prove
that no matching is cheaper, which is how the tests check the answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush

Edge = tuple[int, int]
Neighbours = Sequence[Mapping[int, int]]
"""For each vertex the cost of each edge that it has."""

EVEN, ODD = "even", "odd"  # the depth of a node in the tree; free vertices are sought from the even ones
NOBODY = -1


class Blossoms:
    """The matching as it grows. Nodes are the vertices 0 to n - 1 and, from n on, blossoms."""

    def __init__(self, neighbours: Neighbours) -> None:
        n = len(neighbours)
        self.n = n
        self.neighbours = neighbours
        self.mate = [NOBODY] * n
        self.y = [min(costs.values(), default=0) for costs in neighbours]
        self.z: dict[int, int] = {}
        self.children: dict[int, list[int]] = {}  # a blossom's nodes around its odd circle, the one with the base first
        self.links: dict[int, list[Edge]] = {}  # the edge from each of them to the next
        self.parent: dict[int, int] = {}
        self.base = list(range(n))  # of each node: its one vertex that is matched outside of it
        self.top = list(range(n))  # of each vertex: the outermost node that holds it

    def solve(self) -> bool:
        """Match every vertex; False where that can't be done."""
        for u in range(self.n):
            for v in self.neighbours[u]:
                if self.mate[u] == self.mate[v] == NOBODY and self.slack(u, v) == 0:
                    self.mate[u], self.mate[v] = v, u
        return all(self.grow(root) for root in range(self.n) if self.mate[root] == NOBODY)

    def slack(self, u: int, v: int) -> int:
        """How far an edge between two outermost nodes is from tight, in half units of cost."""
        return 2 * self.neighbours[u][v] - self.y[u] - self.y[v]

    def shared(self, u: int, v: int) -> int:
        """The prices of all blossoms that hold both vertices."""
        around, node = set(), u
        while (node := self.parent.get(node, NOBODY)) != NOBODY:
            around.add(node)
        total, node = 0, v
        while (node := self.parent.get(node, NOBODY)) != NOBODY:
            total += self.z[node] if node in around else 0
        return total

    def vertices(self, node: int) -> Iterator[int]:
        """Every vertex in a node."""
        if node < self.n:
            yield node
        else:
            for child in self.children[node]:
                yield from self.vertices(child)

    # --- one tree

    def grow(self, root: int) -> bool:
        """Grow a tree from an unmatched vertex until it reaches another, and match both. False if it reaches none."""
        self.now = 0  # how far the prices have moved since the tree began
        self.events: list[tuple[int, int, int]] = []  # when an edge gets tight; (when, NOBODY, b): blossom b opens
        self.label: dict[int, str] = {}
        self.entry: dict[int, Edge | None] = {}  # the edge by which the tree came into a node, its near end first
        self._add(root, EVEN, None)
        while self.events:
            time, u, v = heappop(self.events)
            self._move_prices(time - self.now)
            if u == NOBODY:
                if self.label.get(v) == ODD and self.z[v] == 0:
                    self._open(v)
            elif self.slack(u, v) == 0 and self.top[u] != self.top[v]:
                node = self.top[v]
                label = self.label.get(node)
                if label == EVEN:
                    self._shrink(u, v)
                elif label is None and self.mate[self.base[node]] == NOBODY:
                    self._augment(u, v)
                    return True
                elif label is None:
                    self._add(node, ODD, (u, v))
                    inner = self.base[node]
                    outer = self.mate[inner]
                    self._add(self.top[outer], EVEN, (inner, outer))
        return False

    def _move_prices(self, step: int) -> None:
        if not step:
            return
        self.now += step
        for node, label in self.label.items():
            change = step if label == EVEN else -step
            for v in self.vertices(node):
                self.y[v] += change
            if node >= self.n:
                self.z[node] += 2 * change

    def _add(self, node: int, label: str, entry: Edge | None) -> None:
        self.label[node] = label
        self.entry[node] = entry
        if label == EVEN:
            self._look_around(self.vertices(node))
        elif node >= self.n:
            heappush(self.events, (self.now + self.z[node] // 2, NOBODY, node))

    def _look_around(self, vertices: Iterator[int]) -> None:
        """Note when the edges of vertices that have just become even get tight."""
        for u in vertices:
            for v in self.neighbours[u]:
                self._note(u, v)

    def _note(self, u: int, v: int) -> None:
        label = self.label.get(self.top[v])
        if label != ODD and self.top[u] != self.top[v]:
            slack = self.slack(u, v)
            heappush(self.events, (self.now + (slack // 2 if label == EVEN else slack), u, v))

    def _path(self, node: int) -> list[int]:
        """The nodes from this one to the root."""
        path = [node]
        while (entry := self.entry[path[-1]]) is not None:
            path.append(self.top[entry[0]])
        return path

    def _shrink(self, u: int, v: int) -> None:
        """Draw the odd circle that the edge closes together into one even node."""
        circle, links = self._circle(u, v)
        meeting = circle[0]
        blossom = len(self.base)
        self.base.append(self.base[meeting])
        self.children[blossom], self.links[blossom] = circle, links
        self.z[blossom] = 0
        self.entry[blossom] = self.entry[meeting]
        odd = [node for node in circle if self.label.pop(node) == ODD]
        self.label[blossom] = EVEN
        for node in circle:
            self.parent[node] = blossom
            self._make_outermost(blossom, node)
        for node in odd:
            self._look_around(self.vertices(node))

    def _circle(self, u: int, v: int) -> tuple[list[int], list[Edge]]:
        """The nodes of the circle that an edge closes, from where its two paths meet, and the edge from each to the
        next."""
        left, right = self._path(self.top[u]), self._path(self.top[v])
        while len(left) > 1 and len(right) > 1 and left[-2] == right[-2]:
            left.pop()
            right.pop()
        meeting = left.pop()
        right.pop()
        circle = [meeting, *reversed(left), *right]
        down = [edge for node in reversed(left) if (edge := self.entry[node])]
        up = [(edge[1], edge[0]) for node in right if (edge := self.entry[node])]
        return circle, [*down, (u, v), *up]

    def _make_outermost(self, outermost: int, node: int) -> None:
        """Note which outermost node holds the vertices of a node."""
        for v in self.vertices(node):
            self.top[v] = outermost

    def _open(self, blossom: int) -> None:
        """Take an odd blossom apart whose price is nil: part of its circle stays in the tree, the rest leaves it."""
        entry = self.entry[blossom]
        assert entry is not None
        circle, links = self.children[blossom], self.links[blossom]
        del self.label[blossom]
        for node in circle:
            del self.parent[node]
            self._make_outermost(node, node)
        at, label, size = circle.index(self.top[entry[1]]), ODD, len(circle)
        step = 1 if at % 2 else -1  # the way to the base that begins with a matched edge
        while True:
            self._add(circle[at], label, entry)
            if at == 0 and label == ODD:
                break
            near, far = links[at] if step == 1 else links[at - 1][::-1]
            at, label, entry = (at + step) % size, EVEN if label == ODD else ODD, (near, far)
        for node in circle:
            if node not in self.label:
                self._note_from_even(node)

    def _note_from_even(self, node: int) -> None:
        """Note when the edges from even nodes to a node that has just left the tree get tight."""
        for v in self.vertices(node):
            for u in self.neighbours[v]:
                if self.label.get(self.top[u]) == EVEN:
                    self._note(u, v)

    # --- matching along a path

    def _augment(self, u: int, v: int) -> None:
        """Match u, in the tree, with v outside of it, and change the matching along the way to the root."""
        while True:
            node = self.top[u]
            inner = self.mate[self.base[node]]
            self._rebase(node, u)
            self.mate[u], self.mate[v] = v, u
            if inner == NOBODY:
                return
            entry = self.entry[self.top[inner]]
            assert entry is not None
            u, v = entry
            self._rebase(self.top[inner], v)

    def _rebase(self, node: int, v: int) -> None:
        """Make v the vertex of a node that is matched outside of it."""
        if self.base[node] == v:
            return
        self.base[node] = v
        child = v
        while self.parent[child] != node:
            child = self.parent[child]
        at = self.children[node].index(child)
        circle = self.children[node] = self.children[node][at:] + self.children[node][:at]
        links = self.links[node] = self.links[node][at:] + self.links[node][:at]
        self._rebase(child, v)
        for k in range(1, len(circle), 2):
            x, y = links[k]
            self._rebase(circle[k], x)
            self._rebase(circle[k + 1], y)
            self.mate[x], self.mate[y] = y, x
