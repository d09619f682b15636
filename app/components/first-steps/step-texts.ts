import { INVITED_PEOPLE } from "#app/domain/plans/first-steps/rules.ts";
import type { FirstStepKey } from "#app/domain/plans/first-steps/rules.ts";

/** What each step asks for, why, and the button that leads to it. */
export const STEP_TEXTS: Record<FirstStepKey, { label: string; why: string; button: string }> = {
  photo: {
    label: "Escolha uma foto",
    why: "Quem chega reconhece você na hora.",
    button: "Escolher foto",
  },
  banner: {
    label: "Ponha uma capa",
    why: "Até lá, as bandeirinhas fazem a capa.",
    button: "Escolher capa",
  },
  bio: {
    label: "Conte o que você faz",
    why: "Duas frases bastam: o que você cria e para quem.",
    button: "Escrever",
  },
  plan: {
    label: "Crie o primeiro plano",
    why: "Diga o preço e o que quem assina recebe.",
    button: "Criar plano",
  },
  post: {
    label: "Publique pela primeira vez",
    why: "Uma página com uma publicação aberta já mostra a que veio.",
    button: "Publicar",
  },
  payout_method: {
    label: "Diga para onde vai o dinheiro",
    why: "Uma chave Pix ou uma conta no seu nome.",
    button: "Cadastrar",
  },
  documents: {
    label: "Mande os documentos",
    why: "Podem esperar o primeiro dinheiro. Com eles conferidos, você saca.",
    button: "Mandar",
  },
  invitations: {
    label: `Convide ${INVITED_PEOPLE} pessoas`,
    why: "Mande o link da página a quem já gosta do que você faz.",
    button: "Convidar",
  },
};
