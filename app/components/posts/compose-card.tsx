import { Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

/** The way to the composer from where one reads. */
export function ComposeCard({ name, avatarUrl }: { name: string; avatarUrl: string | null }) {
  return (
    <Card className="flex items-center gap-3 px-5 py-3 max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0">
      <Avatar name={name} src={avatarUrl} />
      <Link to="/post/create" className="min-h-11 flex-1 content-center text-muted">
        O que você quer contar hoje?
      </Link>
      <ButtonLink to="/post/create" variant="outline" size="sm">
        Escrever
      </ButtonLink>
    </Card>
  );
}
