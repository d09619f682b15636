import { formatMoney } from "#app/domain/money.ts";

type MoneyProps = {
  cents: number;
  /** The amount is a total of the page or of its table. */
  isTotal?: boolean;
  size?: "text" | "large" | "display";
  tone?: "in" | "plain";
  className?: string;
};

const SIZES = {
  text: { whole: "", symbol: "" },
  large: { whole: "font-display text-title font-bold", symbol: "text-body tracking-normal" },
  display: {
    whole: "font-display text-[2.75rem] leading-[3rem] font-bold tracking-[-0.03em]",
    symbol: "text-[1.25rem] tracking-normal",
  },
};

/**
 * Amount of money. `cents` are whole centavos; tone "in" marks incoming money. A total also has its
 * centavos as data, from which tests follow a figure.
 */
export function Money({
  cents,
  isTotal = false,
  size = "text",
  tone = "plain",
  className = "",
}: MoneyProps) {
  const text = formatMoney(cents);
  const colour = tone === "in" ? "text-leaf" : "";
  const { whole, symbol } = SIZES[size];
  const [before, after] = splitSymbol(text);
  const Shown = isTotal ? "data" : "span";
  return (
    <Shown
      {...(isTotal ? { value: String(cents) } : {})}
      className={`whitespace-nowrap tabular-nums ${whole} ${colour} ${className}`}
    >
      {size === "text" ? (
        text
      ) : (
        <>
          <span className={symbol}>{before}</span>
          {after}
        </>
      )}
    </Shown>
  );
}

/** Splits "-R$ " from "1.234,56"; the no-break space stays with the symbol. */
function splitSymbol(text: string): [string, string] {
  const end = text.indexOf("R$") + "R$".length + 1;
  return [text.slice(0, end), text.slice(end)];
}
