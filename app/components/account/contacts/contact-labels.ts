/** Texts of the pages for e-mails and for phones. */
export const CONTACT_LABELS = {
  email: {
    noun: "e-mail",
    plural: "E-mails",
    primary: "Recibos e avisos passam a ir para ele, e o de hoje fica na conta como mais um.",
    removal: "Ele deixa de abrir a sua conta, e pode ser de outra.",
    unprovenRemoval: "Ele ainda não foi confirmado, e o código enviado deixa de valer.",
    none: "Com um e-mail, você recebe recibos e avisos.",
  },
  phone: {
    noun: "telefone",
    plural: "Telefones",
    primary: "O de hoje fica na conta como mais um.",
    removal: "Ele deixa de abrir a sua conta, e pode ser de outra.",
    unprovenRemoval: "Ele ainda não foi confirmado, e o código enviado deixa de valer.",
    none: "Com um telefone, você entra mesmo quando não lembra a senha.",
  },
} as const;
