import { Form, Link } from "react-router";
import { ActionMenu, ACTION_MENU_ITEM } from "#app/components/ui/action-menu.tsx";

/** Actions on a person that do not notify them, and the private feed of who subscribes. */
export function PersonMenu({
  personId,
  username,
  name,
  isMuted,
  hasFeed = false,
}: {
  personId: string;
  username: string;
  name: string;
  isMuted: boolean;
  hasFeed?: boolean;
}) {
  const page = `/space/${username}`;
  return (
    <ActionMenu label={`Mais opções sobre ${name}`} isOutlined>
      {hasFeed ? (
        <Link to={`/settings/feeds/${username}`} className={ACTION_MENU_ITEM}>
          Feed particular
        </Link>
      ) : null}
      <Form method="post" action={`${page}/mute`}>
        <input type="hidden" name="muted" value={String(!isMuted)} />
        <input type="hidden" name="to" value={page} />
        <button type="submit" className={ACTION_MENU_ITEM}>
          {isMuted ? "Deixar de silenciar" : "Silenciar"}
        </button>
      </Form>
      <Link to={`${page}/block`} className={ACTION_MENU_ITEM}>
        Bloquear
      </Link>
      <Link to={`/report/profile/${personId}`} className={ACTION_MENU_ITEM}>
        Denunciar
      </Link>
    </ActionMenu>
  );
}
