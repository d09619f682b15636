import type { ReactNode } from "react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { percentText } from "./format.ts";

type FigureProps = {
  name: string;
  value: ReactNode;
  /** Larger than the period before, as a share of it; null without a comparison. */
  change?: number | null;
  /** Where less is better, such as of people who left. */
  lessIsBetter?: boolean;
  /** What opens the entries behind the figure. */
  to?: string | null;
  /** How it is calculated, in one sentence. */
  children: ReactNode;
};

/** Figures side by side. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">{children}</dl>;
}

/** One figure, its change and its formula. */
export function Figure({ name, value, change = null, lessIsBetter, to, children }: FigureProps) {
  return (
    <Card className="flex flex-col gap-1 p-4">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="font-display text-heading font-bold">
        {to ? (
          <Link
            to={to}
            className="underline decoration-edge decoration-1 underline-offset-4 hover:decoration-leaf"
          >
            {value}
          </Link>
        ) : (
          value
        )}
      </dd>
      {change === null ? null : <Change share={change} lessIsBetter={lessIsBetter ?? false} />}
      <dd className="text-caption text-muted">{children}</dd>
    </Card>
  );
}

function Change({ share, lessIsBetter }: { share: number; lessIsBetter: boolean }) {
  const isGood = lessIsBetter ? share <= 0 : share >= 0;
  const direction = share === 0 ? "igual ao" : share > 0 ? "a mais que o" : "a menos que o";
  return (
    <dd className={`text-small font-semibold ${isGood ? "text-leaf" : "text-attention"}`}>
      {share === 0 ? null : `${percentText(Math.abs(share))} `}
      {direction} período anterior
    </dd>
  );
}
