import { parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { renderPagesAs } from "./rendered-pages.ts";
import type { RoutePage } from "./rendered-pages.ts";

type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** A page that shows amounts of money, by its route. */
export type MoneyPage = RoutePage & {
  /**
   * Texts around amounts that are not figures of the ledger, such as a limit or a price range. Also
   * headings of columns whose amounts belong to somebody else.
   */
  plain?: readonly RegExp[];
};

/**
 * A figure on a page. It is the page's total, links to the page with that total, or is in the row
 * of the entry itself.
 */
type Figure = {
  cents: number;
  figureText: string;
  href: string | null;
  isTotal: boolean;
  /** Id of its row. */ entry: string | null;
};
type Shown = {
  figures: Figure[];
  /** All element ids on the page. */ ids: string[];
  links: string[];
  headings: string[];
  totals: number[];
  rows: number[];
  hasRows: boolean;
  columns: string[];
  next: string | null;
};

/** Prefix of the id of a row that is a ledger entry. */
const ENTRY = "lancamento-";

const MONEY = /(-?)R\$\s*([\d.]+),(\d{2})/;

/**
 * Opens pages as `who` and follows every figure to the page behind it, as far as `pages` go.
 * Reports as text a figure without a link, a link to a page with another total, and a total that
 * differs from the sum of its rows. R$ 0,00 needs no page behind it.
 */
export function followFiguresAs(
  ctx: () => Context,
  who: () => Member,
  pages: readonly MoneyPage[],
) {
  const render = renderPagesAs(ctx, who, pages);
  const known = new Map<string, Shown>();

  async function shown(url: string): Promise<Shown> {
    const before = known.get(url);
    if (before) return before;
    const html = await render(url);
    const plain = pages.find(({ path }) => matches(path, url))?.plain ?? [];
    const found = readPage(html, plain, url);
    known.set(url, found);
    return found;
  }

  /** All pages of a list, by following "Carregar mais". */
  async function wholeList(url: string): Promise<Shown[]> {
    const list = [await shown(url)];
    for (let last = list[0]; last?.next && list.length < 50; last = list.at(-1))
      list.push(await shown(last.next));
    return list;
  }

  return {
    shown,
    /** Every problem of the figures on these pages and on the pages that they link to. */
    async wrong(urls: readonly string[]): Promise<string[]> {
      const problems: string[] = [];
      const waiting = [...urls];
      const seen = new Set<string>();
      for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
        if (seen.has(url)) continue;
        seen.add(url);
        const list = await wholeList(url);
        problems.push(
          ...list.flatMap(({ columns }) => columns).map((problem) => `${url}: ${problem}`),
        );
        const [first] = list;
        const rowsCents = list.flatMap(({ rows }) => rows).reduce((sum, cents) => sum + cents, 0);
        if (
          first?.hasRows &&
          !first.totals.some((cents) => Math.abs(cents) === Math.abs(rowsCents))
        )
          problems.push(
            `${url}: its entries come to ${rowsCents}, it says ${first.totals.join(", ")}`,
          );
        for (const figure of list.flatMap(({ figures }) => figures)) {
          if (figure.cents === 0) continue;
          if (figure.href === null) {
            if (!figure.isTotal && figure.entry === null)
              problems.push(`${url}: nothing behind ${figure.figureText}`);
            continue;
          }
          const target = figure.href;
          if (!pages.some(({ path }) => matches(path, target))) {
            problems.push(
              `${url}: ${figure.figureText} leads to ${target}, which is no page of money`,
            );
            continue;
          }
          const { totals, ids } = await shown(target);
          // The figure of an entry links to the whole transaction, which lists that entry.
          const isThere = figure.entry?.startsWith(ENTRY) && ids.includes(figure.entry);
          if (!isThere && !totals.some((cents) => Math.abs(cents) === Math.abs(figure.cents)))
            problems.push(
              `${url}: ${figure.figureText} leads to ${target}, which comes to ${totals.join(", ") || "nothing"}`,
            );
          waiting.push(target);
        }
      }
      return problems;
    },
  };
}

/** Whether a route's path matches a URL. */
const matches = (path: string, url: string): boolean =>
  new RegExp(`^/${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(new URL(url, "http://here").pathname);

function readPage(html: string, plain: readonly RegExp[], url: string): Shown {
  const page: Shown = {
    figures: [],
    ids: [],
    links: [],
    headings: [],
    totals: [],
    rows: [],
    hasRows: false,
    columns: [],
    next: null,
  };
  const walk = (node: Parent, way: Element[]): void => {
    for (const child of node.childNodes) {
      if (!("tagName" in child)) continue;
      const inside = [...way, child];
      if (child.tagName === "a") page.links.push(hrefOf(child, url));
      if (child.tagName === "h1") page.headings.push(textOf(child));
      if (child.tagName === "a" && textOf(child).trim() === "Carregar mais")
        page.next = hrefOf(child, url);
      if (attrOf(child, "id")) page.ids.push(attrOf(child, "id") ?? "");
      if (child.tagName === "table") page.columns.push(...wrongColumns(child));
      if (isHolder(child)) noteFigure(page, child, inside, plain, url);
      else walk(child, inside);
    }
  };
  walk(parse(html), []);
  return page;
}

/** Whether this is the innermost element that contains an amount. */
const isHolder = (element: Element): boolean =>
  MONEY.test(textOf(element)) &&
  element.tagName !== "script" &&
  !element.childNodes.some((child) => "tagName" in child && MONEY.test(textOf(child)));

function noteFigure(
  page: Shown,
  holder: Element,
  way: Element[],
  plain: readonly RegExp[],
  url: string,
): void {
  const cents = centsIn(textOf(holder));
  const isTotal = way.some(({ tagName }) => tagName === "data");
  const row = way.findLast(
    ({ tagName, attrs }) =>
      (tagName === "tr" || tagName === "li") && attrs.some(({ name }) => name === "id"),
  );
  const link = way.findLast(({ tagName }) => tagName === "a");
  const label = `${columnOf(way) ?? ""} ${textOf(holder)}`.trim();
  if (isTotal) page.totals.push(cents);
  // The first amount of an entry is its own. The next one is the balance after it.
  if (
    row &&
    attrOf(row, "id")?.startsWith(ENTRY) &&
    figuresIn(row)[0] === holder &&
    !isTotalled(way)
  ) {
    page.rows.push(cents);
    page.hasRows = true;
  }
  const around = way.findLast(
    ({ tagName }) =>
      tagName === "p" ||
      tagName === "td" ||
      tagName === "th" ||
      tagName === "li" ||
      tagName === "div",
  );
  if (plain.some((pattern) => pattern.test(label) || pattern.test(textOf(around ?? holder))))
    return;
  page.figures.push({
    cents,
    figureText: label,
    href: link ? hrefOf(link, url) : null,
    isTotal,
    entry: row ? (attrOf(row, "id") ?? null) : null,
  });
}

/** Whether a table has a row of sums, which `wrongColumns` checks by column. */
const isTotalled = (way: Element[]): boolean => {
  const table = way.findLast(({ tagName }) => tagName === "table");
  return (
    table !== undefined &&
    rowsOf(table).some((row) => elementsIn(row).some(({ tagName }) => tagName === "data"))
  );
};

/**
 * The columns of a table whose rows do not add up to its row of sums. Empty for a table without
 * such a row.
 */
function wrongColumns(table: Element): string[] {
  const rows = rowsOf(table).map((row) => row.childNodes.filter((cell) => "tagName" in cell));
  const sumRow = rows.findLast((cells) =>
    cells.some((cell) => elementsIn(cell).some(({ tagName }) => tagName === "data")),
  );
  if (!sumRow) return [];
  return sumRow.flatMap((cell, index) => {
    const sum = elementsIn(cell).find(({ tagName }) => tagName === "data");
    if (!sum || index === 0) return [];
    const parts = rows
      .filter((cells) => cells !== sumRow)
      .map((cells) => cells[index])
      .map((one) => (one ? figuresIn(one)[0] : undefined));
    const cents = parts.reduce((total, part) => total + (part ? centsIn(textOf(part)) : 0), 0);
    return cents === centsIn(textOf(sum))
      ? []
      : [`column ${index} adds up to ${cents} and says ${textOf(sum)}`];
  });
}

const centsIn = (text: string): number => {
  const [, sign, whole = "", part = ""] = MONEY.exec(text) ?? [];
  return Number(`${sign ?? ""}${whole.replaceAll(".", "")}${part}`) || 0;
};

function columnOf(way: Element[]): string | null {
  const [table, cell] = [
    way.findLast(({ tagName }) => tagName === "table"),
    way.findLast(({ tagName }) => tagName === "td"),
  ];
  const row = way.findLast(({ tagName }) => tagName === "tr");
  if (!table || !cell || !row) return null;
  const index = row.childNodes.filter((child) => "tagName" in child).indexOf(cell);
  const head = elementsIn(table).filter(({ tagName }) => tagName === "th")[index];
  return head ? textOf(head) : null;
}

const rowsOf = (table: Element): Element[] =>
  elementsIn(table).filter(({ tagName }) => tagName === "tr");
const figuresIn = (element: Element): Element[] => elementsIn(element).filter(isHolder);
const elementsIn = (node: Element): Element[] =>
  node.childNodes.flatMap((child) => ("tagName" in child ? [child, ...elementsIn(child)] : []));
const attrOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attr) => attr.name === name)?.value;

function textOf(node: Element): string {
  return node.childNodes
    .map((child) => ("value" in child ? child.value : "tagName" in child ? textOf(child) : ""))
    .join("");
}

/** Path and query of a link, resolved against its page. */
function hrefOf(link: Element, url: string): string {
  const to = new URL(attrOf(link, "href") ?? "", new URL(url, "http://here"));
  return to.pathname + to.search;
}
