import { useState } from "react";
import type { ComponentProps } from "react";
import { CreatorCard } from "#app/components/profiles/creator-card.tsx";

type Suggested = ComponentProps<typeof CreatorCard>["creator"] & { id: string };

/**
 * Creators like the one who was just paid, with follow buttons. The list stays unchanged while the
 * person chooses, and without anybody nothing is shown.
 */
export function SuggestedCreators({ people }: { people: Suggested[] }) {
  const [shown] = useState(people);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Quem mais seguir" className="flex flex-col gap-3">
      <h2 className="text-heading">Quem mais seguir</h2>
      <ul className="grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2">
        {shown.map((creator) => (
          <CreatorCard key={creator.id} creator={creator} isFollowing={false} />
        ))}
      </ul>
    </section>
  );
}
