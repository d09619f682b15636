import { firstStepPath, INVITED_PEOPLE } from "#app/domain/plans/first-steps/rules.ts";
import type { FirstStep, FirstStepKey } from "#app/domain/plans/first-steps/rules.ts";

type StepTexts = { label: string; doneLabel: string; why: string; button: string };

/** A step of the list, with its texts and its screen. `note` is how far it got; null for none. */
export type DescribedStep = FirstStep & StepTexts & { to: string; note: string | null };

/** What each step asks for, its title once done, why, and the button that leads to it. */
export const STEP_TEXTS: Record<FirstStepKey, StepTexts> = {
  photo: {
    label: "Escolha uma foto",
    doneLabel: "A sua foto está na página",
    why: "Quem chega reconhece você na hora.",
    button: "Escolher foto",
  },
  banner: {
    label: "Ponha uma capa",
    doneLabel: "A sua capa está na página",
    why: "Até lá, as bandeirinhas fazem a capa.",
    button: "Escolher capa",
  },
  bio: {
    label: "Conte o que você faz",
    doneLabel: "O seu texto está na página",
    why: "Duas frases bastam: o que você cria e para quem.",
    button: "Escrever",
  },
  plan: {
    label: "Crie o primeiro plano",
    doneLabel: "O primeiro plano está à venda",
    why: "Diga o preço e o que quem assina recebe.",
    button: "Criar plano",
  },
  post: {
    label: "Publique pela primeira vez",
    doneLabel: "A primeira publicação saiu",
    why: "Uma página com uma publicação aberta já mostra a que veio.",
    button: "Publicar",
  },
  payout_method: {
    label: "Diga para onde vai o dinheiro",
    doneLabel: "O destino do dinheiro está salvo",
    why: "Uma chave Pix ou uma conta no seu nome.",
    button: "Cadastrar",
  },
  documents: {
    label: "Mande os documentos",
    doneLabel: "Os documentos chegaram",
    why: "Com eles aprovados, a venda segue e você saca.",
    button: "Mandar",
  },
  invitations: {
    label: `Convide ${INVITED_PEOPLE} pessoas`,
    doneLabel: `Mais de ${INVITED_PEOPLE - 1} pessoas seguem a página`,
    why: "Mande o link da página a quem já gosta do que você faz.",
    button: "Convidar",
  },
};

/** Describes the steps for the list. Loaders call it, so that pages load no texts as script. */
export function describedSteps(
  steps: readonly FirstStep[],
  { followersCount }: { followersCount: number },
): DescribedStep[] {
  return steps.map((step) => ({
    ...step,
    ...STEP_TEXTS[step.key],
    to: firstStepPath(step.key),
    note: step.key === "invitations" ? `${followersCount} de ${INVITED_PEOPLE}` : null,
  }));
}
