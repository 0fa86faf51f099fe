"""The jig: a sheet to print with places for twelve discs, each a known distance from one of the board's lines.

The sheet has two A4 pages, each hung on two neighbouring pegs by its holes, on opposite sides of the board, with its
arcs on the board's lines. The table reads discs laid on the places. The difference between a disc's measured and its
printed clearance is the error of camera, lens, light, reading, and the hand that laid it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hardware.board import TOURNAMENT, seat_angle

MARGIN = 6.0  # mm at a page's edges that printers leave white, to be cut off
PAGE = (210.0, 297.0)  # mm: A4
NEAREST = 45.0 - MARGIN  # mm from the hole to the page's lower end, just beyond the next pegs
TICKS = (2.0, 5.0)  # mm from a disc's edge to the begin and the end of the ticks around it
TICK_EVERY = 30.0  # degrees
FINE, PLAIN = 0.2, 0.3  # mm: widths of strokes
FINGERTIP = 0.25  # mm by which a hole is wider than its peg
RULERS = (((-75.0, 130.0), (75.0, 130.0)), ((0.0, 110.0), (0.0, 260.0)))  # mm in the board frame: across and up
LINES = (TOURNAMENT.fifteen_line, TOURNAMENT.ten_line, TOURNAMENT.outer_line)
ARC_STEP = math.radians(0.5)  # the chord is within 0.003 mm of the outer line's arc


@dataclass(frozen=True, slots=True)
class JigPlace:
    """The place of a disc: `clearance` mm inside the line (0 fifteen, 1 ten, 2 outer), `bearing` degrees from the
    middle of its page, counter-clockwise."""

    number: int
    line: int
    clearance: float
    bearing: float

    @property
    def page(self) -> int:
        return (self.number - 1) // 6

    def at(self, page_angle: float) -> tuple[float, float]:
        """The disc's centre (x, y), mm, for its page's middle at `page_angle` degrees."""
        line = LINES[self.line]
        radius = TOURNAMENT.inner_edge(line) - TOURNAMENT.disc.radius - self.clearance
        angle = math.radians(page_angle + self.bearing)
        return radius * math.cos(angle), radius * math.sin(angle)


PLACES = (
    JigPlace(1, 0, 1.6, 0.0), JigPlace(2, 1, -1.6, 17.0), JigPlace(3, 1, 0.8, -17.0),
    JigPlace(4, 2, 1.6, 14.0), JigPlace(5, 2, -0.8, 0.0), JigPlace(6, 2, 3.0, -14.0),
    JigPlace(7, 0, -1.6, 0.0), JigPlace(8, 1, 1.6, 17.0), JigPlace(9, 1, -0.8, -17.0),
    JigPlace(10, 2, -1.6, 14.0), JigPlace(11, 2, 0.8, 0.0), JigPlace(12, 2, -3.0, -14.0),
)  # fmt: skip

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points of the page: mm from its lower left corner, y up."""

    points: tuple[Point, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Label:
    """A number or a unit, its middle at `at`: mm from the page's lower left corner, y up."""

    at: Point
    text: str
    size: float = 5.0  # mm


def drawing(page: int) -> Iterator[Stroke | Label]:
    """The drawing of page 0 or 1. It has no words, so that one sheet serves all languages."""
    for item in _on_board(page):
        match item:
            case Stroke(points, width):
                yield Stroke(tuple(map(_on_page, points)), width)
            case Label(at, text, size):
                yield Label(_on_page(at), text, size)


def _on_page(point: Point) -> Point:
    return point[0] + PAGE[0] / 2, point[1] - NEAREST


def _on_board(page: int) -> Iterator[Stroke | Label]:
    """The page as it hangs at +y, in the board frame."""
    middle = seat_angle(3)
    half, low, high = PAGE[0] / 2 - MARGIN, NEAREST + MARGIN, NEAREST + PAGE[1] - MARGIN
    yield Stroke(((-half, low), (half, low), (half, high), (-half, high), (-half, low)), FINE)  # to be cut along
    for line in LINES:
        reach = math.asin(min(1.0, half / line))
        if line == TOURNAMENT.fifteen_line:
            reach = math.radians(22.5 + 15.0)  # beyond the pegs, and still on the page
        yield Stroke(
            tuple(_arc(line, math.radians(middle) - reach, math.radians(middle) + reach)), TOURNAMENT.line_width
        )
    for x, y in sorted(TOURNAMENT.pegs, key=lambda peg: -peg[1])[:2]:
        yield Stroke(tuple(_circle(x, y, TOURNAMENT.peg_radius + FINGERTIP)), FINE)
    for place in (place for place in PLACES if place.page == page):
        yield from _place(place, place.at(middle), TOURNAMENT.disc.radius)
    yield from (part for ruler in RULERS for part in _ruler(*ruler))
    yield Label((half - 8, low + 8), "I" * (page + 1), 8.0)


def _place(place: JigPlace, at: Point, radius: float) -> Iterator[Stroke | Label]:
    x, y = at
    for k in range(round(360 / TICK_EVERY)):
        c, s = math.cos(math.radians(k * TICK_EVERY)), math.sin(math.radians(k * TICK_EVERY))
        near, far = (radius + beyond for beyond in TICKS)
        yield Stroke(((x + near * c, y + near * s), (x + far * c, y + far * s)), PLAIN)
    yield Stroke(((x - 3, y), (x + 3, y)), FINE)
    yield Stroke(((x, y - 3), (x, y + 3)), FINE)
    yield Label((x, y - 8), str(place.number))


def _ruler(begin: Point, end: Point) -> Iterator[Stroke | Label]:
    long = math.dist(begin, end)
    along = ((end[0] - begin[0]) / long, (end[1] - begin[1]) / long)
    yield Stroke((begin, end), FINE)
    for mm in range(0, round(long) + 1, 10):
        x, y = begin[0] + mm * along[0], begin[1] + mm * along[1]
        yield Stroke(((x, y), (x - 3 * along[1], y + 3 * along[0])), FINE)
        if mm % 50 == 0:
            yield Label((x + 4 * along[1], y - 4 * along[0]), str(mm), 3.0)
    yield Label((end[0] + 10 * along[0], end[1] + 10 * along[1]), "mm", 3.0)


def _arc(radius: float, begin: float, end: float) -> Iterator[Point]:
    steps = math.ceil((end - begin) / ARC_STEP)
    for k in range(steps + 1):
        angle = begin + (end - begin) * k / steps
        yield radius * math.cos(angle), radius * math.sin(angle)


def _circle(x: float, y: float, radius: float) -> Iterator[Point]:
    return ((x + dx, y + dy) for dx, dy in _arc(radius, 0.0, 2 * math.pi))


def svg(page: int) -> str:
    """A page as SVG; its units are millimetres."""
    width, height = PAGE
    parts: list[str] = []
    for item in drawing(page):
        match item:
            case Stroke(points, stroke):
                path = " ".join(f"{x:.3f},{height - y:.3f}" for x, y in points)
                parts.append(f'<polyline points="{path}" stroke-width="{stroke:.4g}"/>')
            case Label((x, y), text, size):
                parts.append(
                    f'<text x="{x:.3f}" y="{height - y + 0.35 * size:.3f}" font-size="{size}" stroke="none" '
                    f'fill="black">{text}</text>'
                )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" fill="none" stroke="black" font-family="Helvetica, Arial, sans-serif" '
        f'text-anchor="middle">\n' + "\n".join(parts) + "\n</svg>\n"
    )


def file(name: str) -> bytes | None:
    """The sheet's file of this name: `sheet.pdf`, `sheet-1.svg` or `sheet-2.svg`; None for any other."""
    match name:
        case "sheet.pdf":
            return pdf()
        case "sheet-1.svg" | "sheet-2.svg":
            return svg(int(name[6]) - 1).encode()
    return None


POINT = 72 / 25.4  # PDF's units in a millimetre
DIGIT = 0.556  # of its size: how wide one is in Helvetica


def pdf() -> bytes:
    """Both pages as PDF 1.4, to print at 100 %."""
    contents = [_commands(drawing(page)) for page in (0, 1)]
    box = f"[0 0 {PAGE[0] * POINT:.4f} {PAGE[1] * POINT:.4f}]"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [4 0 R 6 0 R] /Count 2 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for content in contents:
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents {len(objects) + 2} 0 R "
            "/Resources << /Font << /F 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _file(objects)


def _commands(items: Iterator[Stroke | Label]) -> bytes:
    lines = [f"{POINT:.6f} 0 0 {POINT:.6f} 0 0 cm"]
    for item in items:
        match item:
            case Stroke(points, width):
                moves = (f"{x:.3f} {y:.3f} {'l' if k else 'm'}" for k, (x, y) in enumerate(points))
                lines.append(f"{width:.4g} w {' '.join(moves)} S")
            case Label((x, y), text, size):
                left = x - len(text) * DIGIT * size / 2
                lines.append(f"BT /F {size} Tf {left:.3f} {y - 0.35 * size:.3f} Td ({text}) Tj ET")
    return "\n".join(lines).encode("ascii")


def _file(objects: Sequence[bytes]) -> bytes:
    """The objects, numbered from 1, with the table of their offsets."""
    written, starts = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        starts.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    return written + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, table, len(objects) + 1, len(written))
    )
