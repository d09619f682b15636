import { Avatar } from "#app/components/ui/avatar.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";

/** Logo and name of a team, and the page that it manages. */
export function TeamIdentity({
  name,
  ownerName,
  logoMediaId,
}: {
  name: string;
  ownerName: string;
  logoMediaId: string | null;
}) {
  return (
    <span className="flex min-w-0 flex-1 basis-52 items-center gap-3">
      <Avatar name={name} src={logoMediaId && mediaUrl(logoMediaId, "320")} size="md" />
      <span className="flex min-w-0 flex-col">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <span className="text-small text-muted">Página de {ownerName}</span>
      </span>
    </span>
  );
}
