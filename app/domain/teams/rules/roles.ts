/** Source: spec section 4. */
export const teamRoles = ["admin", "basic_member", "guest_member"] as const;

export type TeamRole = (typeof teamRoles)[number];

/** Source: spec section 3, "Domain enrollment modes". */
export const enrolmentModes = [
  "manual_invitation",
  "automatic_suggestion",
  "automatic_invitation",
] as const;

export type EnrolmentMode = (typeof enrolmentModes)[number];

/** Describes what a role does, so that no label has a grammatical gender. */
export const ROLE_LABELS: Record<TeamRole, { label: string; hint: string }> = {
  admin: { label: "Administra", hint: "Cuida da equipe e dos planos, publica e vê os números." },
  basic_member: { label: "Publica", hint: "Publica, responde as mensagens e vê os números." },
  guest_member: { label: "Acompanha", hint: "Vê a página por dentro e não escreve nada nela." },
};

export const ENROLMENT_LABELS: Record<EnrolmentMode, { label: string; hint: string }> = {
  manual_invitation: {
    label: "Só com convite",
    hint: "Ninguém vê a equipe até receber um convite.",
  },
  automatic_suggestion: {
    label: "Sugerir a equipe",
    hint: "Quem confirmou um e-mail deste domínio vê a equipe e pode pedir para entrar.",
  },
  automatic_invitation: {
    label: "Convidar sempre",
    hint: "Quem confirmou um e-mail deste domínio pode entrar sem esperar, como quem acompanha.",
  },
};
