import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatDay } from "#app/domain/time.ts";

type TeamMessage = Extract<OutboxMessage, { type: `team.${string}` | "payout.requested" }>;

/** What happens in a team, and what somebody of it does with the owner's money. */
export function teamTold(message: TeamMessage): Told[] {
  switch (message.type) {
    case "team.invited":
      return [invitedTold(message)];
    case "team.joined":
      return [toOwner(message, `${message.memberName} entrou na equipe ${message.teamName}.`)];
    case "team.requested":
      return [
        toOwner(message, `${message.memberName} pediu para entrar na equipe ${message.teamName}.`),
      ];
    case "team.request_decided": {
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
    }
    case "team.removed":
      return [
        {
          personId: message.memberId,
          kind: message.type,
          body: `Você não está mais na equipe ${message.teamName}.`,
          path: "/settings/teams",
          mail: null,
        },
      ];
    case "team.billing_granted": {
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
    }
    case "payout.requested": {
      const body = `${message.memberName} pediu um saque em nome da sua página. O dinheiro vai para a sua chave Pix ou conta.`;
      const undo = "Não era para pedir? Tire essa permissão em Equipes.";
      return [
        {
          personId: message.creatorId,
          kind: message.type,
          body,
          path: "/settings/transfers",
          mail: {
            subject: `${message.memberName} pediu um saque da sua página`,
            body: `${body}\n\n${undo}`,
          },
        },
      ];
    }
  }
}

function toOwner(
  message: { type: Told["kind"]; ownerId: string; slug: string },
  body: string,
): Told {
  return {
    personId: message.ownerId,
    kind: message.type,
    body,
    path: `/settings/teams/${message.slug}`,
    mail: null,
  };
}

/**
 * The invited address gets the letter whether or not it has an account; an account is told inside
 * too.
 */
function invitedTold(message: Extract<TeamMessage, { type: "team.invited" }>): Told {
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
