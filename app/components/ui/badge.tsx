import type { ReactNode } from "react";

export type BadgeTone = "neutral" | "good" | "attention" | "refusal";

const TONES: Record<BadgeTone, string> = {
  neutral: "bg-sand text-ink",
  good: "bg-signal-soft text-ink",
  attention: "bg-attention-soft text-attention",
  refusal: "bg-refusal-soft text-refusal",
};

export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-full px-3 py-1 text-caption font-semibold ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
