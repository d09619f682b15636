import { counted, nounFor } from "#app/domain/text.ts";
import type { ReactNode } from "react";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { DeletionPreview } from "#app/domain/deletion/schema.ts";
import { eventsCanceledText, lastPayoutCents, seatsLostText } from "#app/domain/deletion/rules.ts";
import { formatDay } from "#app/domain/time.ts";

/**
 * Preview of what an account deletion means, with the person's own figures. Omits what they do not
 * have.
 */
export function DeletionPreviewCard({
  figures,
  dueDay,
  waits,
}: {
  figures: DeletionPreview;
  dueDay: string;
  waits: string[];
}) {
  return (
    <>
      {waits.length > 0 ? (
        <Part title="A exclusão vai esperar">
          <ConsequenceList consequences={waits} />
        </Part>
      ) : null}
      <Paying figures={figures} dueDay={dueDay} />
      {figures.purchasesCount > 0 ? (
        <Part title="O que você comprou">
          <ConsequenceList
            consequences={[
              `${nounFor(figures.purchasesCount, "A sua compra deixa de ser sua", `As suas ${counted(figures.purchasesCount, "compra", "compras")} deixam de ser suas`)}: ninguém mais entra com esta conta.`,
            ]}
          />
        </Part>
      ) : null}
      {figures.seatsCount + figures.eventsCount > 0 ? (
        <Part title="Eventos">
          <ConsequenceList
            consequences={[
              ...(figures.eventsCount > 0
                ? [`${eventsCanceledText(figures.eventsCount)} Quem pagou recebe tudo de volta.`]
                : []),
              ...(figures.seatsCount > 0 ? [seatsLostText(figures.seatsCount)] : []),
            ]}
          />
        </Part>
      ) : null}
      <Selling figures={figures} dueDay={dueDay} />
      <Part title="O que é apagado">
        <ConsequenceList
          consequences={[
            "Seu nome, e-mail, telefone, foto, capa, bio e data de nascimento.",
            `${postsText(figures.postsCount)} imagens, coleções, eventos, curtidas e quem você segue.`,
            `Senha, chaves de acesso, segunda etapa, sessões e contas conectadas${figures.keysCount > 0 ? `, e ${nounFor(figures.keysCount, "a sua chave", `as suas ${counted(figures.keysCount, "chave", "chaves")}`)} de API` : ""}.`,
            "Seus comentários e mensagens continuam na conversa, assinados por “Conta excluída”.",
          ]}
        />
      </Part>
      <Part title="O que a lei manda guardar">
        <ConsequenceList
          consequences={[
            "Os registros de pagamentos e saques, e os documentos de quem vendeu, por 5 anos.",
            "Os registros de acesso, por 6 meses.",
            "O nome de usuário fica reservado, para que ninguém se passe por você. O e-mail pode criar uma conta nova.",
          ]}
        />
      </Part>
    </>
  );
}

function Paying({
  figures: { subscriptions, refundToThemCents },
  dueDay,
}: {
  figures: DeletionPreview;
  dueDay: string;
}) {
  if (subscriptions.length === 0) return null;
  return (
    <Part title="Suas assinaturas">
      <p className="mb-4 text-muted">
        Nenhuma renova mais. As que ainda valerem em {dueDay} são encerradas, e os dias que você não
        usou voltam para você.
      </p>
      <DetailList
        details={[
          ...subscriptions.map(({ planName, creatorName, accessUntil, refundCents }) => ({
            label: `${planName}, de ${creatorName}`,
            value:
              refundCents > 0 ? (
                <Money cents={refundCents} tone="in" />
              ) : accessUntil === null ? (
                "termina"
              ) : (
                `termina em ${formatDay(accessUntil)}`
              ),
          })),
          ...(refundToThemCents > 0
            ? [{ label: "Volta para você", value: <Money cents={refundToThemCents} tone="in" /> }]
            : []),
        ]}
      />
    </Part>
  );
}

function Selling({ figures, dueDay }: { figures: DeletionPreview; dueDay: string }) {
  const {
    subscribersCount,
    refundToSubscribersCents,
    buyersCount,
    refundToBuyersCents,
    giftsCount,
    refundToGiversCents,
    refundFromBalanceCents,
    availableCents,
    pendingCents,
    reservedCents,
    inTransitCents,
  } = figures;
  const hasMoney = availableCents + pendingCents + reservedCents + inTransitCents > 0;
  if (subscribersCount === 0 && buyersCount === 0 && giftsCount === 0 && !hasMoney) return null;
  const shown = [
    { label: "Disponível", cents: availableCents },
    { label: "A liberar", cents: pendingCents },
    { label: "Bloqueado", cents: reservedCents },
    { label: "A caminho", cents: inTransitCents },
    {
      label:
        buyersCount + giftsCount > 0
          ? "Devolvido a quem assina ou comprou"
          : "Devolvido a quem assina",
      cents: -refundFromBalanceCents,
    },
  ].filter(({ cents }) => cents !== 0);
  return (
    <Part title="Sua página e seu saldo">
      {subscribersCount > 0 ? (
        <p className="mb-4 text-muted">
          {counted(subscribersCount, "pessoa assina", "pessoas assinam")} a sua página. Ela some
          para todo o resto agora, e para quem assina em {dueDay}: aí devolvemos{" "}
          <Money cents={refundToSubscribersCents} /> dos dias que não usarem, com a nossa taxa.
        </p>
      ) : null}
      {buyersCount > 0 ? (
        <p className="mb-4 text-muted">
          {counted(buyersCount, "pessoa comprou", "pessoas compraram")} publicações, coleções ou
          arquivos de mensagens seus e os veem até {dueDay}: aí devolvemos{" "}
          <Money cents={refundToBuyersCents} />, com a nossa taxa.
        </p>
      ) : null}
      {giftsCount > 0 ? (
        <p className="mb-4 text-muted">
          {counted(
            giftsCount,
            "presente dos seus planos ainda não foi resgatado",
            "presentes dos seus planos ainda não foram resgatados",
          )}
          : em {dueDay} os que ficarem voltam inteiros a quem deu,{" "}
          <Money cents={refundToGiversCents} /> ao todo.
        </p>
      ) : null}
      {hasMoney ? (
        <DetailList
          details={[
            ...shown.map(({ label, cents }) => ({ label, value: <Money cents={cents} /> })),
            {
              label: "Seu último saque, sem mínimo",
              value: <Money cents={lastPayoutCents(figures)} tone="in" />,
            },
          ]}
        />
      ) : null}
    </Part>
  );
}

const postsText = (count: number): string =>
  count === 0
    ? "Suas"
    : `${nounFor(count, "A sua publicação", `As suas ${counted(count, "publicação", "publicações")}`)}, suas`;

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section" label={title} className="p-5 sm:p-6">
      <h2 className="mb-3 text-heading">{title}</h2>
      {children}
    </Card>
  );
}

export function ConsequenceList({ consequences }: { consequences: string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-muted">
      {consequences.map((consequence) => (
        <li key={consequence}>{consequence}</li>
      ))}
    </ul>
  );
}
