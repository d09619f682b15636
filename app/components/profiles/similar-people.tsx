import { Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";

export type SimilarPerson = {
  username: string;
  name: string;
  craft: string;
  avatarMediaId: string | null;
};

/** Suggests people that the visitor of an unknown profile URL may have meant. */
export function SimilarPeople({ people }: { people: SimilarPerson[] }) {
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="parecidos" className="mx-auto w-full max-w-2xl px-4 pb-16">
      <h2 id="parecidos" className="text-heading">
        Você procurava…
      </h2>
      <ul className="mt-3 flex flex-col divide-y divide-line rounded-card border border-line bg-card">
        {people.map((person) => (
          <li key={person.username}>
            <Link
              to={`/space/${person.username}/public`}
              reloadDocument
              className="flex items-center gap-4 px-5 py-4 hover:bg-sand"
            >
              <Avatar
                name={person.name}
                src={person.avatarMediaId ? mediaUrl(person.avatarMediaId, "320") : null}
              />
              <span className="flex min-w-0 flex-col">
                <span className="font-semibold">{person.name}</span>
                <span className="text-small text-muted">
                  @{person.username}
                  {person.craft ? ` · ${person.craft}` : ""}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
