import type { PaymentProvider, ProviderDebitInstruction } from "#app/domain/payments/schema.ts";
import { instruction } from "./answers.ts";
import { get, fetchAsaasPage } from "./client.server.ts";
import type { AsaasApi } from "./client.server.ts";
import { toInstruction } from "./from-answers.ts";

const PATH = "/pix/automatic/paymentInstructions";

/** The orders of a charge sorted by day; Asaas does not document the order of its list. */
export async function instructionsOf(
  api: AsaasApi,
  chargeId: string,
): Promise<ProviderDebitInstruction[]> {
  const { data } = await fetchAsaasPage(api, instruction, {
    path: PATH,
    query: { paymentId: chargeId },
    cursor: null,
  });
  return data.map(toInstruction).toSorted((one, other) => one.dueOn.localeCompare(other.dueOn));
}

export function asaasInstructions(api: AsaasApi) {
  return {
    instructionsOf: (chargeId) => instructionsOf(api, chargeId),
    instructionById: (id) => instructionById(api, id),
    /**
     * Retries a refused order, one caller at a time. If a retry for that day exists, it is the
     * requested one.
     */
    async retryInstruction({ instructionId, dueOn }) {
      const refused = await instructionById(api, instructionId);
      const look = async () =>
        (await instructionsOf(api, refused.chargeId)).find(
          (each) => each.dueOn === dueOn && each.id !== instructionId,
        ) ?? null;
      const retry = {
        method: "POST",
        path: `${PATH}/${encodeURIComponent(instructionId)}/retries`,
        body: { dueDate: dueOn },
      } as const;
      return await api.once(`retry:${instructionId}`, look, async () =>
        toInstruction(await api.ask(instruction, retry)),
      );
    },
  } satisfies Partial<PaymentProvider>;
}

async function instructionById(api: AsaasApi, id: string): Promise<ProviderDebitInstruction> {
  return toInstruction(await api.ask(instruction, get(`${PATH}/${encodeURIComponent(id)}`)));
}
