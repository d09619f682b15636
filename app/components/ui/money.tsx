import { formatMoney } from "#app/domain/money.ts";

type MoneyProps = { cents: number; size?: "text" | "large" | "display"; tone?: "in" | "plain"; className?: string };

const SIZES = {
  text: { whole: "", symbol: "" },
  large: { whole: "font-display text-title font-bold", symbol: "text-body tracking-normal" },
  display: { whole: "font-display text-[2.75rem] leading-[3rem] font-bold tracking-[-0.03em]", symbol: "text-[1.25rem] tracking-normal" },
};

/** Every price, fee and net of the product. `cents` are whole centavos; tone "in" is money that arrives. */
export function Money({ cents, size = "text", tone = "plain", className = "" }: MoneyProps) {
  const text = formatMoney(cents);
  const colour = tone === "in" ? "text-leaf" : "";
  const { whole, symbol } = SIZES[size];
  const [before, after] = splitSymbol(text);
  return (
    <span className={`whitespace-nowrap tabular-nums ${whole} ${colour} ${className}`}>
      {size === "text" ? (
        text
      ) : (
        <>
          <span className={symbol}>{before}</span>
          {after}
        </>
      )}
    </span>
  );
}

/** "-R$ " and "1.234,56", the no-break space staying with the symbol. */
function splitSymbol(text: string): [string, string] {
  const end = text.indexOf("R$") + "R$".length + 1;
  return [text.slice(0, end), text.slice(end)];
}
