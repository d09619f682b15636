import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay } from "#app/domain/time.ts";
import type { TeamMessage } from "#app/domain/teams/schema/outbox.ts";

/** Notifies the owner of a team, and the person concerned, of what happens in it. */
export const teamNotifications: NotificationRenderers<TeamMessage> = {
  "team.invited": (message) => [invitedNotification(message)],
  "team.joined": (message) => [
    toOwner(message, `${message.memberName} entrou na equipe ${message.teamName}.`),
  ],
  "team.requested": (message) => [
    toOwner(message, `${message.memberName} pediu para entrar na equipe ${message.teamName}.`),
  ],
  "team.request_decided": (message) => {
    const body = message.isApproved
      ? `O seu pedido foi aceito: você está na equipe ${message.teamName}.`
      : `O seu pedido para entrar na equipe ${message.teamName} não foi aceito.`;
    return [
      {
        personId: message.personId,
        kind: message.type,
        body,
        path: "/settings/teams",
        mail: null,
      },
    ];
  },
  "team.removed": (message) => [
    {
      personId: message.memberId,
      kind: message.type,
      body: `Você não está mais na equipe ${message.teamName}.`,
      path: "/settings/teams",
      mail: null,
    },
  ],
  "team.billing_granted": (message) => {
    const body = `${message.memberName} agora vê o dinheiro da sua página e pode pedir saques. O dinheiro continua indo só para a sua chave Pix ou conta.`;
    const undo =
      "Não foi você? Entre na sua conta, tire essa permissão em Equipes e troque a sua senha.";
    return [
      {
        ...toOwner(message, body),
        mail: {
          subject: `${message.memberName} agora cuida do dinheiro da sua página`,
          body: `${body}\n\n${undo}`,
        },
      },
    ];
  },
};

function toOwner(
  message: { type: NotificationDraft["kind"]; ownerId: string; slug: string },
  body: string,
): NotificationDraft {
  return {
    personId: message.ownerId,
    kind: message.type,
    body,
    path: `/settings/teams/${message.slug}`,
    mail: null,
  };
}

/** Emails the invited address, with or without an account. An account also gets a notification. */
function invitedNotification(
  message: Extract<TeamMessage, { type: "team.invited" }>,
): NotificationDraft {
  const { inviterName, teamName, ownerName } = message;
  return {
    personId: message.personId,
    email: message.email,
    kind: message.type,
    body: `${inviterName} convidou você para a equipe ${teamName}, que cuida da página de ${ownerName}.`,
    path: `/settings/teams/invitations/${message.invitationId}`,
    mail: {
      subject: `${inviterName} convidou você para a equipe ${teamName}`,
      body: [
        `${inviterName} convidou você para a equipe ${teamName}, que cuida da página de ${ownerName} no Coreto.`,
        `O seu lugar: ${message.roleWord}.`,
        `Para aceitar, abra: ${message.link}`,
        `O convite é deste e-mail e vale até ${formatDay(message.expiresAt)}. Se você ainda não tem conta, crie uma com ele. Se não conhece quem convidou, ignore este e-mail: nada muda.`,
      ].join("\n\n"),
    },
  };
}
