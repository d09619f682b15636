import { useState } from "react";
import { Link } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { CATEGORY_LABELS } from "#app/domain/profiles/rules/categories.ts";
import type { CreatorCategory } from "#app/domain/profiles/rules/categories.ts";
import type { PublicProfile } from "#app/domain/profiles/schema.ts";
import { CreatorCard } from "./creator-card.tsx";

type NewcomerProps = {
  people: PublicProfile[];
  categories: readonly CreatorCategory[];
  hasPosts: boolean;
};

/**
 * Suggestions for a new member who follows nobody yet, with follow buttons. The list stays
 * unchanged while they choose.
 */
export function FollowSuggestions({ people, categories, hasPosts }: NewcomerProps) {
  const [shown] = useState(people);
  return (
    <div className="flex flex-col gap-4">
      {hasPosts ? (
        <div
          role="status"
          className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-signal-soft p-5"
        >
          <p className="font-semibold">O seu início já tem o que ler.</p>
          <ButtonLink to="/">Ver as publicações</ButtonLink>
        </div>
      ) : (
        <EmptyState
          title="A praça ainda está quieta"
          action={<ButtonLink to="/explore">Explorar</ButtonLink>}
        >
          Siga quem faz o que você gosta, e o que publicarem aparece aqui.
        </EmptyState>
      )}
      {shown.length > 0 ? (
        <section aria-label="Gente para seguir" className="flex flex-col gap-3">
          <h2 className="text-heading">Gente para seguir</h2>
          <ul className="grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2">
            {shown.map((creator) => (
              <CreatorCard key={creator.id} creator={creator} isFollowing={false} />
            ))}
          </ul>
        </section>
      ) : null}
      <nav aria-label="Procurar por assunto" className="flex flex-col gap-3">
        <h2 className="text-heading">Do que você gosta?</h2>
        <ul className="flex flex-wrap gap-2">
          {categories.map((category) => (
            <li key={category}>
              <Link
                to={`/explore?category=${category}`}
                className="inline-flex min-h-11 items-center rounded-full border border-line bg-card px-4 font-semibold hover:border-edge"
              >
                {CATEGORY_LABELS[category]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
