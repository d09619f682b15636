import { Form, Link } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { ACTION_MENU_ITEM, ActionMenu } from "#app/components/ui/action-menu.tsx";
import type { Box } from "#app/domain/messages/rules.ts";
import type { ConversationAct } from "#app/domain/messages/schema.ts";

type ConversationMenuProps = {
  id: string;
  username: string;
  box: Box;
  isPinned: boolean;
  isMuted: boolean;
  /** Where the other person can be tipped; null where they cannot. */
  tipPath: string | null;
  /** It is the member's own page: a block is of their own account, not of a team's. */
  mayBlock: boolean;
};

/** What a person may do with a conversation as a whole; each is a form of its own page. */
export function ConversationMenu({
  id,
  username,
  box,
  isPinned,
  isMuted,
  tipPath,
  mayBlock,
}: ConversationMenuProps) {
  const pin: { act: ConversationAct; label: string } = isPinned
    ? { act: "unpin", label: "Desafixar" }
    : { act: "pin", label: "Fixar no alto" };
  const acts: { act: ConversationAct; label: string }[] = [
    { act: "unread", label: "Marcar como não lida" },
    ...(box === "archived" ? [] : [pin]),
    isMuted ? { act: "unmute", label: "Tirar do silêncio" } : { act: "mute", label: "Silenciar" },
    box === "archived"
      ? { act: "unarchive", label: "Desarquivar" }
      : { act: "archive", label: "Arquivar" },
  ];
  return (
    <ActionMenu label="Opções da conversa" isOutlined>
      {box === "request" || box === "refused" || box === "broadcast" ? null : (
        <Form method="post" action={`/messages/${id}/act`}>
          <ActingField />
          {acts.map(({ act, label }) => (
            <button key={act} name="act" value={act} className={ACTION_MENU_ITEM}>
              {label}
            </button>
          ))}
        </Form>
      )}
      {tipPath === null ? null : (
        <Link to={tipPath} className={ACTION_MENU_ITEM}>
          Mandar um apoio
        </Link>
      )}
      <Link to={`/messages/${id}/search`} className={ACTION_MENU_ITEM}>
        Procurar nesta conversa
      </Link>
      <Link to={`/messages/${id}/act?act=clear`} className={ACTION_MENU_ITEM}>
        Limpar para mim
      </Link>
      {mayBlock ? (
        <Link to={`/space/${username}/block`} className={ACTION_MENU_ITEM}>
          Bloquear
        </Link>
      ) : null}
    </ActionMenu>
  );
}
