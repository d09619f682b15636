import { Lock } from "lucide-react";
import { Link } from "react-router";
import { ACTION_MENU_ITEM, ActionMenu } from "#app/components/ui/action-menu.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { filesLabel, isEditable, tipText } from "#app/domain/messages/rules.ts";
import type { Message, MessageSale } from "#app/domain/messages/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { messageSubjectId } from "#app/domain/moderation/reports/rules/subjects.ts";
import { formatTimeOfDay } from "#app/domain/time.ts";
import { MessageFilesView } from "./files/message-files-view.tsx";
import { MessageText } from "./message-text.tsx";
import { ReactionChoice, Reactions } from "./reactions.tsx";
import { DELETED_TEXT, ReplyQuote } from "./reply-quote.tsx";

type MessageRowProps = {
  message: Message;
  conversationId: string;
  otherName: string;
  now: number;
  /** The other person read up to here. */
  isRead: boolean;
  mayWrite: boolean;
  /** It is the member's own conversation, not one of a team: they report and buy as themselves. */
  isMembersOwn: boolean;
};

/** One message: its text, what it answers, reactions, time, and a menu of what can be done. */
export function MessageRow({
  message,
  conversationId,
  otherName,
  now,
  isRead,
  mayWrite,
  isMembersOwn,
}: MessageRowProps) {
  const { isOwn, isDeleted, replyTo } = message;
  return (
    <li
      id={`m-${message.seq}`}
      className={`relative flex scroll-mt-24 items-end gap-1 ${isOwn ? "flex-row-reverse" : ""}`}
    >
      <div
        className={`flex max-w-[80%] flex-col gap-1 rounded-card px-3.5 py-2 sm:max-w-[70%] ${isOwn ? "bg-sand" : "border border-line bg-card"}`}
      >
        <span className="sr-only">{isOwn ? "Você:" : `${otherName}:`}</span>
        {message.writtenBy ? (
          <span className="text-caption text-muted">Escrita por {message.writtenBy}</span>
        ) : null}
        {replyTo ? <ReplyQuote replyTo={replyTo} name={otherName} /> : null}
        {isDeleted ? (
          <p className="text-muted italic">{DELETED_TEXT}</p>
        ) : (
          <MessageBody message={message} isMembersOwn={isMembersOwn} />
        )}
        <Reactions path={reactionPath(conversationId, message)} reactions={message.reactions} />
        <span className="self-end text-caption text-muted">
          {message.isEdited ? "editada · " : ""}
          {formatTimeOfDay(message.createdAt)}
          {isOwn && isRead ? " · lida" : ""}
        </span>
      </div>
      {isDeleted || !(mayWrite || mayReport(message, isMembersOwn)) ? null : (
        <MessageMenu
          message={message}
          conversationId={conversationId}
          now={now}
          mayWrite={mayWrite}
          isMembersOwn={isMembersOwn}
        />
      )}
    </li>
  );
}

function MessageBody({
  message: { id, text, files, sale, tipCents, isOwn },
  isMembersOwn,
}: Pick<MessageRowProps, "message" | "isMembersOwn">) {
  if (tipCents !== null) return <p className="font-semibold">{tipText(tipCents)}</p>;
  if (sale && !sale.isOpen)
    return (
      <>
        <LockedFiles id={id} sale={sale} mayBuy={isMembersOwn} />
        {text === "" ? null : <MessageText text={text} />}
      </>
    );
  // Its sender deleted their account, and the files with it.
  if (text === "" && files.length === 0)
    return <p className="text-muted italic">Arquivo apagado</p>;
  return (
    <>
      <MessageFilesView files={files} />
      {sale ? <p className="text-caption text-muted">{saleText(sale, isOwn)}</p> : null}
      {text === "" ? null : <MessageText text={text} />}
    </>
  );
}

function saleText({ priceCents, isBought }: MessageSale, isOwn: boolean): string {
  const price = formatMoney(priceCents);
  if (!isOwn) return `Você comprou por ${price}`;
  return isBought ? `Foi comprada por ${price}` : `À venda por ${price}`;
}

/** What is seen of files that are for sale: their kinds and price. A team cannot buy for its page. */
function LockedFiles({ id, sale, mayBuy }: { id: string; sale: MessageSale; mayBuy: boolean }) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-field bg-sand p-4">
      <p className="flex items-center gap-2 font-semibold">
        <Lock aria-hidden="true" className="size-4 shrink-0" />
        {filesLabel(sale.fileKinds)} à venda
      </p>
      {mayBuy ? (
        <ButtonLink to={`/checkout?message=${id}`} size="sm">
          Comprar por {formatMoney(sale.priceCents)}
        </ButtonLink>
      ) : (
        <p>{formatMoney(sale.priceCents)}</p>
      )}
    </div>
  );
}

/** Nobody wrote the line of a tip, so that nobody answers for it. */
const mayReport = ({ isOwn, tipCents }: Message, isMembersOwn: boolean): boolean =>
  isMembersOwn && !isOwn && tipCents === null;

function MessageMenu({
  message,
  conversationId,
  now,
  mayWrite,
  isMembersOwn,
}: Pick<MessageRowProps, "message" | "conversationId" | "now" | "mayWrite" | "isMembersOwn">) {
  const { seq } = message;
  // Nobody wrote the line of a tip.
  const isOwn = message.isOwn && message.tipCents === null;
  const here = `/messages/${conversationId}`;
  return (
    <div>
      <ActionMenu label={`Opções da mensagem ${seq}`} side={message.isOwn ? "right" : "left"}>
        {mayWrite ? <ReactionChoice path={reactionPath(conversationId, message)} /> : null}
        {mayWrite ? (
          <Link to={`${here}?reply=${seq}#escrever`} className={ACTION_MENU_ITEM}>
            Responder
          </Link>
        ) : null}
        {mayReport(message, isMembersOwn) ? (
          <Link
            to={`/report/message/${messageSubjectId({ conversationId, seq })}`}
            className={ACTION_MENU_ITEM}
          >
            Denunciar
          </Link>
        ) : null}
        {isOwn && isEditable(message, now) ? (
          <Link to={`${here}/${seq}/edit`} className={ACTION_MENU_ITEM}>
            Editar
          </Link>
        ) : null}
        {isOwn ? (
          <Link to={`${here}/${seq}/deletion`} className={ACTION_MENU_ITEM}>
            Apagar
          </Link>
        ) : null}
      </ActionMenu>
    </div>
  );
}

const reactionPath = (conversationId: string, { seq }: Message): string =>
  `/messages/${conversationId}/${seq}/reaction`;
