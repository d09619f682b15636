import { Refusal } from "#app/domain/errors.ts";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { INVITATIONS_A_DAY, MEMBERS_MAX, TEAMS_PER_PERSON_MAX } from "./rules.ts";

/** For a non-member and for an unknown team alike: nobody learns which teams exist. */
export class TeamNotFound extends Refusal {
  constructor() {
    super("not_found", "Não encontramos esta equipe.");
  }
}

export class TeamPermissionDenied extends Refusal {
  constructor() {
    super("forbidden", "O seu lugar na equipe não permite isto. Fale com quem administra.");
  }
}

/** The shown page belonged to another space. Nothing of the form was done. */
export class ActingPageChanged extends Refusal {
  constructor(nowAt: string) {
    super(
      "conflict",
      `Esta página foi aberta em nome de outra. Agora você está em: ${nowAt}. Nada foi enviado; confira e envie de novo.`,
    );
  }
}

export class TeamNeedsPage extends Refusal {
  constructor() {
    super("conflict", "Abra a sua página antes de criar uma equipe: a equipe cuida dela.");
  }
}

export class TeamExists extends Refusal {
  constructor() {
    super("conflict", "A sua página já tem uma equipe.");
  }
}

export class SlugTaken extends Refusal {
  constructor() {
    super("conflict", "Este endereço já é de outra equipe. Escolha outro.", "slug");
  }
}

/** Spec section 8: organization quota exceeded. */
export class TeamFull extends Refusal {
  constructor() {
    super(
      "conflict",
      `${IDENTITY_MESSAGES.organization_membership_quota_exceeded} O limite é ${MEMBERS_MAX}.`,
    );
  }
}

export class TooManyTeams extends Refusal {
  constructor() {
    super(
      "conflict",
      `Cada pessoa participa de até ${TEAMS_PER_PERSON_MAX} equipes. Saia de uma antes de entrar em outra.`,
    );
  }
}

export class TooManyInvitations extends Refusal {
  constructor() {
    super(
      "limit",
      `São até ${INVITATIONS_A_DAY} convites em 24 horas, e a equipe já enviou muitos. Tente com menos, ou mais tarde.`,
      "emails",
    );
  }
}

export class AlreadyInTeam extends Refusal {
  constructor(emails: readonly string[]) {
    super("conflict", `Já está na equipe: ${emails.join(", ")}`, "emails");
  }
}

export class AlreadyInvited extends Refusal {
  constructor(emails: readonly string[]) {
    super(
      "conflict",
      emails.length > 0
        ? `Já tem convite: ${emails.join(", ")}`
        : "Um destes e-mails acabou de receber um convite.",
      "emails",
    );
  }
}

export class InvitationNotFound extends Refusal {
  constructor() {
    super("not_found", "Este convite não existe mais.");
  }
}

export class InvitationRevoked extends Refusal {
  constructor() {
    super("conflict", "Este convite foi cancelado. Peça outro a quem convidou você.");
  }
}

export class InvitationExpired extends Refusal {
  constructor() {
    super("conflict", "Este convite expirou. Peça outro a quem convidou você.");
  }
}

export class InvitationUsed extends Refusal {
  constructor() {
    super("conflict", "Este convite já foi usado.");
  }
}

export class InvitationForAnotherEmail extends Refusal {
  constructor(masked: string) {
    super(
      "forbidden",
      `Este convite é para ${masked}. Entre com a conta desse e-mail, ou confirme o e-mail na sua conta.`,
    );
  }
}

export class RequestNotPossible extends Refusal {
  constructor() {
    super("forbidden", "Só entra assim quem confirmou um e-mail do domínio da equipe.");
  }
}

export class AlreadyRequested extends Refusal {
  constructor() {
    super("conflict", "O seu pedido já foi enviado. Quem administra a equipe vai responder.");
  }
}

export class TooManyJoinRequests extends Refusal {
  constructor() {
    super("limit", "A equipe tem pedidos demais esperando. Tente de novo em alguns dias.");
  }
}

export class RequestDecided extends Refusal {
  constructor() {
    super("conflict", "Este pedido já foi respondido.");
  }
}

export class TeamMemberNotFound extends Refusal {
  constructor() {
    super("not_found", "Esta pessoa não está na equipe.");
  }
}

export class OwnerCannotBeChanged extends Refusal {
  constructor() {
    super("conflict", "A página é desta pessoa: ela sempre administra a equipe.");
  }
}

/** The owner is the last admin: they can only delete the team. */
export class OwnerCannotLeave extends Refusal {
  constructor() {
    super(
      "conflict",
      "Sem você, ninguém administraria a equipe da sua página. Em vez de sair, apague a equipe.",
    );
  }
}

export class BillingOwnerOnly extends Refusal {
  constructor() {
    super(
      "forbidden",
      "Só a pessoa dona da página libera o dinheiro para alguém.",
      "mayManageBilling",
    );
  }
}

export class BillingNeedsAdmin extends Refusal {
  constructor() {
    super("invalid", "Só quem administra pode cuidar do dinheiro.", "mayManageBilling");
  }
}

export class TeamNameMismatch extends Refusal {
  constructor() {
    super(
      "invalid",
      "O nome não confere. Digite o nome da equipe como ele aparece acima.",
      "confirmation",
    );
  }
}

export class PublicMailDomain extends Refusal {
  constructor() {
    super(
      "invalid",
      "Este domínio é de um serviço de e-mail aberto a todo mundo. Use um domínio que seja seu.",
      "domain",
    );
  }
}

export class DomainNotVerified extends Refusal {
  constructor() {
    super(
      "invalid",
      "Para usar este domínio, confirme antes na sua conta um e-mail dele.",
      "domain",
    );
  }
}

export class DomainTaken extends Refusal {
  constructor() {
    super("conflict", "Este domínio já é de outra equipe.", "domain");
  }
}

export class DomainMissing extends Refusal {
  constructor() {
    super("invalid", "Escreva o domínio, ou deixe a entrada só com convite.", "domain");
  }
}

/** The identity provider manages this team: it changes there. */
export class TeamManagedByProvider extends Refusal {
  constructor() {
    super("conflict", "Esta equipe muda nas configurações da sua conta.");
  }
}
