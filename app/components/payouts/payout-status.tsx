import { Badge } from "#app/components/ui/badge.tsx";
import type { BadgeTone } from "#app/components/ui/badge.tsx";
import type { PayoutStatus } from "#app/domain/payouts/schema.ts";

const TONES: Record<PayoutStatus, BadgeTone> = {
  requested: "attention",
  held: "attention",
  claimed: "attention",
  sent: "attention",
  paid: "good",
  failed: "refusal",
  returned: "refusal",
  canceled: "neutral",
};

export const PayoutBadge = ({ status, label }: { status: PayoutStatus; label: string }) => (
  <Badge tone={TONES[status]}>{label}</Badge>
);
