/**
 * Arranges a directed graph from top to bottom in the manner of Sugiyama: edges that close a cycle are reversed, each
 * node gets the row of its longest path from the start, and long edges and labels get places of their own in the rows
 * between, so that lines and labels do not cross nodes. Then the rows are ordered so that few lines cross, and each item
 * is placed near its neighbors.
 */

interface EdgeInput {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

interface GraphInput {
  /** The ids of the nodes, the start first. */
  readonly nodes: readonly string[];
  readonly edges: readonly EdgeInput[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface PlacedEdge extends EdgeInput {
  /** The line as the data of an SVG path, which ends at the node `to`. */
  readonly path: string;
  /** The center of the label. */
  readonly at: Point;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The centers of the nodes. */
  readonly nodes: ReadonlyMap<string, Point>;
  readonly edges: readonly PlacedEdge[];
}

export const nodeSize = { width: 136, height: 52 } as const;

const labelHeight = 18;
const gap = 14;
/** The height of the space between a row of nodes and the labels below it. */
const rise = 24;
const rowHeight = nodeSize.height + 2 * rise + labelHeight;

/** An item of a row: a node, or the place at which an edge passes through the row. */
interface Item {
  readonly row: number;
  readonly width: number;
  x: number;
  readonly above: Item[];
  readonly below: Item[];
}

/** The estimated width of a label. */
const widthOf = (label: string): number => (label ? label.length * 6.4 + 10 : 10);

const isLoop = ({ from, to }: EdgeInput): boolean => from === to;

/** Joins edges between the same two nodes into one, which has the labels of all. */
function joined(edges: readonly EdgeInput[]): EdgeInput[] {
  const found = new Map<string, EdgeInput>();
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to]);
    const known = found.get(key);
    const labels = [...new Set([known?.label, edge.label].filter(Boolean))];
    found.set(key, { ...edge, label: labels.join(' / ') });
  }
  return [...found.values()];
}

/** Returns the edges that lead back to a node from which they were reached. Without them the graph has no cycle. */
function backEdges(nodes: readonly string[], edges: readonly EdgeInput[]): ReadonlySet<EdgeInput> {
  const back = new Set<EdgeInput>();
  const states = new Map<string, 'open' | 'done'>();
  const visit = (node: string): void => {
    states.set(node, 'open');
    for (const edge of edges.filter(({ from }) => from === node)) {
      const state = states.get(edge.to);
      if (state === 'open') back.add(edge);
      if (!state) visit(edge.to);
    }
    states.set(node, 'done');
  };
  for (const node of nodes) if (!states.has(node)) visit(node);
  return back;
}

/** Returns the row of each node: one more than the lowest of the nodes before it. */
function rowsOf(nodes: readonly string[], edges: readonly EdgeInput[]): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  const rowOf = (node: string): number => {
    const known = rows.get(node);
    if (known !== undefined) return known;
    const row = Math.max(-1, ...edges.filter(({ to }) => to === node).map(({ from }) => rowOf(from))) + 1;
    rows.set(node, row);
    return row;
  };
  for (const node of nodes) rowOf(node);
  return rows;
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/**
 * Returns the positions that are nearest to the desired ones and keep the order and the distances of the items. Items
 * that would overlap form a block, which is placed at the mean of what its items desire.
 */
function placed(items: readonly Item[], desired: readonly number[]): number[] {
  let offset = 0;
  const offsets = items.map((item, index) => {
    const before = items[index - 1];
    offset += before ? (before.width + item.width) / 2 + gap : 0;
    return offset;
  });
  const blocks: Array<{ sum: number; count: number }> = [];
  for (const [index, wanted] of desired.entries()) {
    let block = { sum: wanted - (offsets[index] ?? 0), count: 1 };
    for (
      let last = blocks.at(-1);
      last && last.sum / last.count > block.sum / block.count;
      last = blocks.at(-1)
    ) {
      block = { sum: block.sum + last.sum, count: block.count + last.count };
      blocks.pop();
    }
    blocks.push(block);
  }
  const starts = blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  return items.map((_, index) => (starts[index] ?? 0) + (offsets[index] ?? 0));
}

type Side = 'above' | 'below';

const neighborsMean = (item: Item, side: Side): number =>
  item[side].length > 0 ? mean(item[side].map(({ x }) => x)) : item.x;

/** Orders the rows by the places of their neighbors, down and up in turn, and places the items. */
function arrange(rows: Item[][]): void {
  const sweep = (side: Side, sorts: boolean) => {
    for (const row of side === 'above' ? rows : rows.toReversed()) {
      if (sorts) row.sort((one, other) => neighborsMean(one, side) - neighborsMean(other, side));
      const places = placed(
        row,
        row.map((item) => neighborsMean(item, side)),
      );
      for (const [index, item] of row.entries()) item.x = places[index] ?? 0;
    }
  };
  for (let round = 0; round < 12; round++) {
    sweep('above', round < 8);
    sweep('below', round < 8);
  }
}

/** Where the lines of a node begin or end: next to each other, in the order of the items to which they lead. */
function portOf(item: Item, other: Item, side: Side): number {
  const others = item[side].toSorted((one, two) => one.x - two.x);
  const step = Math.min(22, (item.width - 24) / others.length);
  return Math.round(item.x + (others.indexOf(other) - (others.length - 1) / 2) * step);
}

const top = (row: number): number => row * (rowHeight / 2);

/** A curve through points that leaves and reaches each of them vertically. */
const curve = (points: readonly Point[]): string =>
  points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before) return `M${x} ${y}`;
      const middle = (before.y + y) / 2;
      return `C${before.x} ${middle} ${x} ${middle} ${x} ${y}`;
    })
    .join('');

export function layOut({ nodes, edges: given }: GraphInput): Layout {
  const known = new Set(nodes);
  const edges = joined(given.filter(({ from, to }) => known.has(from) && known.has(to)));
  const loops = new Map(edges.filter(isLoop).map((edge) => [edge.from, edge]));
  const others = edges.filter((edge) => !isLoop(edge));
  const back = backEdges(nodes, others);
  const forward = others.map((edge) => (back.has(edge) ? { ...edge, from: edge.to, to: edge.from } : edge));
  const rowOf = rowsOf(nodes, forward);
  const rows: Item[][] = Array.from({ length: 2 * Math.max(0, ...rowOf.values()) + 1 }, () => []);
  const add = (row: number, width: number): Item => {
    const item: Item = { row, width, x: 0, above: [], below: [] };
    rows[row]?.push(item);
    return item;
  };
  const items = new Map(
    nodes.map((node) => {
      const loop = loops.get(node);
      // A node is as much wider on both sides as its loop takes, so that it stays in the middle of its item.
      const room = loop ? 2 * (gap + widthOf(loop.label)) : 0;
      return [node, add(2 * (rowOf.get(node) ?? 0), nodeSize.width + room)];
    }),
  );
  const itemOf = (node: string): Item => items.get(node) ?? add(0, 0);
  const chains = forward.map(({ from, to, label }, number) => {
    const [first, last] = [itemOf(from), itemOf(to)];
    const count = last.row - first.row - 1;
    // A label is next to the node that the edge leaves, which is the lower one if the edge is reversed.
    const labeled = back.has(others[number] as EdgeInput) ? count - 1 : 0;
    const between = Array.from({ length: count }, (_, index) =>
      add(first.row + 1 + index, index === labeled ? widthOf(label) : 10),
    );
    const chain = [first, ...between, last];
    for (const [index, item] of chain.slice(1).entries()) {
      chain[index]?.below.push(item);
      item.above.push(chain[index] ?? item);
    }
    return chain;
  });
  arrange(rows);
  const all = rows.flat();
  const left = Math.min(...all.map(({ x, width }) => x - width / 2));
  for (const item of all) item.x = Math.round(item.x - left);
  const centerOf = (item: Item): Point => ({ x: item.x, y: top(item.row) + nodeSize.height / 2 });
  const half = nodeSize.height / 2;
  const placedEdges = others.map((edge, index): PlacedEdge => {
    const chain = chains[index] ?? [];
    const [first, second] = chain;
    const [last, beforeLast] = [chain.at(-1), chain.at(-2)];
    if (!first || !second || !last || !beforeLast) throw new Error(`The edge to ${edge.to} has no line.`);
    // An item of a long edge is passed vertically, so that the line does not touch the nodes next to it.
    const inner = chain.slice(1, -1).flatMap((item) => {
      const { x, y } = centerOf(item);
      return item.row % 2 === 0
        ? [
            { x, y: y - half },
            { x, y: y + half },
          ]
        : [{ x, y }];
    });
    const points = [
      { x: portOf(first, second, 'below'), y: centerOf(first).y + half },
      ...inner,
      { x: portOf(last, beforeLast, 'above'), y: centerOf(last).y - half },
    ];
    return {
      ...edge,
      path: curve(back.has(edge) ? points.toReversed() : points),
      at: centerOf(back.has(edge) ? beforeLast : second),
    };
  });
  const placedLoops = [...loops.values()].map((edge): PlacedEdge => {
    const { x, y } = centerOf(itemOf(edge.from));
    const side = x + nodeSize.width / 2;
    return {
      ...edge,
      path: `M${side} ${y - 12}C${side + 26} ${y - 20} ${side + 26} ${y + 20} ${side} ${y + 12}`,
      at: { x: side + gap + widthOf(edge.label) / 2, y },
    };
  });
  return {
    width: Math.ceil(Math.max(...all.map(({ x, width }) => x + width / 2))),
    height: top(rows.length - 1) + nodeSize.height,
    nodes: new Map([...items].map(([node, item]) => [node, centerOf(item)])),
    edges: [...placedEdges, ...placedLoops],
  };
}
