import { Refusal } from "#app/domain/errors.ts";
import { IDENTITY_MESSAGES } from "#app/domain/identity/errors.ts";
import { CONTACTS_MAX } from "#app/domain/identity/contacts/rules/contacts.ts";
import type { ContactKind } from "#app/domain/identity/contacts/rules/contacts.ts";

const named = <Text>(kind: ContactKind, email: Text, phone: Text): Text =>
  kind === "email" ? email : phone;

export class ContactLimitReached extends Refusal {
  constructor(kind: ContactKind) {
    super(
      "limit",
      `Cada conta tem até ${CONTACTS_MAX[kind]} ${named(kind, "e-mails", "telefones")}. Remova um para adicionar outro.`,
      kind,
    );
  }
}

export class ContactAlreadyYours extends Refusal {
  constructor(kind: ContactKind) {
    super(
      "conflict",
      named(kind, "Este e-mail já é da sua conta.", "Este telefone já é da sua conta."),
      kind,
    );
  }
}

/** Shown only to a person who typed the code sent there. */
export class ContactTaken extends Refusal {
  constructor(kind: ContactKind) {
    super(
      "conflict",
      IDENTITY_MESSAGES[
        named(kind, "form_identifier_exists__email_address", "form_identifier_exists__phone_number")
      ],
      "code",
    );
  }
}

export class ContactAlreadyVerified extends Refusal {
  constructor(kind: ContactKind) {
    super(
      "conflict",
      named(kind, IDENTITY_MESSAGES.EMAIL_ALREADY_VERIFIED, "Este telefone já está confirmado."),
    );
  }
}

export class ContactNotVerified extends Refusal {
  constructor(kind: ContactKind) {
    super(
      "conflict",
      named(
        kind,
        "Confirme este e-mail antes de torná-lo o principal.",
        "Confirme este telefone antes de torná-lo o principal.",
      ),
    );
  }
}

export class PrimaryContactRequired extends Refusal {
  constructor(kind: ContactKind) {
    super(
      "conflict",
      named(
        kind,
        "Este é o e-mail principal. Torne outro o principal antes de remover este.",
        "Este é o telefone principal. Torne outro o principal antes de remover este.",
      ),
    );
  }
}

export class ContactNotFound extends Refusal {
  constructor(kind: ContactKind) {
    super(
      "not_found",
      named(kind, "Este e-mail não está na sua conta.", "Este telefone não está na sua conta."),
    );
  }
}
