import { useState, useSyncExternalStore } from "react";
import { Form, useSubmit } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

type PushDevicesProps = {
  /** The key that the browser asks its push service with. */
  publicKey: string;
  devices: { id: string; label: string; since: string }[];
};

/** The devices to which pushes go, and the button that adds this one. */
export function PushDevices({ publicKey, devices }: PushDevicesProps) {
  return (
    <Card className="mb-6 flex flex-col gap-4 p-5 sm:p-6">
      <h2 className="text-[1.125rem] leading-6">Avisos nos seus aparelhos</h2>
      <p className="text-small text-muted">
        Chegam também com o Coreto fechado. O que chega você escolhe abaixo, em Aparelhos.
      </p>
      <ActivationButton publicKey={publicKey} />
      {devices.length === 0 ? null : (
        <ul aria-label="Aparelhos com avisos" className="divide-y divide-line">
          {devices.map(({ id, label, since }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-2 py-2">
              <span className="flex min-w-0 flex-col">
                <span className="font-semibold">{label}</span>
                <span className="text-small text-muted">Ativado {since}</span>
              </span>
              <Form method="post" action={`/settings/notifications/devices/${id}/removal`}>
                <Button variant="outline" size="sm" aria-label={`Desativar ${label}`}>
                  Desativar
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

type Ability = "unknown" | "able" | "unable";

const neverChanges = () => () => undefined;
const serverAbility = (): Ability => "unknown";
const browserAbility = (): Ability =>
  "serviceWorker" in navigator && "PushManager" in window ? "able" : "unable";

/** Asks the browser only when it is pressed. Without JavaScript there is nothing to press. */
function ActivationButton({ publicKey }: Pick<PushDevicesProps, "publicKey">) {
  const ability = useSyncExternalStore(neverChanges, browserAbility, serverAbility);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const submit = useSubmit();
  async function activate() {
    setIsAsking(true);
    setProblem(null);
    try {
      if ((await Notification.requestPermission()) !== "granted") {
        setProblem("O navegador não deixou. Libere os avisos do Coreto nas configurações dele.");
        return;
      }
      const fields = await subscribe(publicKey);
      await submit(fields, { method: "post", action: "/settings/notifications/devices" });
    } catch {
      setProblem("Não deu para ativar neste aparelho. Tente de novo mais tarde.");
    } finally {
      setIsAsking(false);
    }
  }
  if (ability === "unable") return <p className="text-small">Este navegador não recebe avisos.</p>;
  return (
    <div className="flex flex-col items-start gap-2">
      <noscript>
        <p className="text-small">Para ativar, ligue o JavaScript neste navegador.</p>
      </noscript>
      <Button
        type="button"
        variant="outline"
        disabled={ability === "unknown" || isAsking}
        onClick={() => void activate()}
      >
        Ativar avisos neste aparelho
      </Button>
      <p role="status" className="text-small font-medium text-refusal empty:hidden">
        {problem}
      </p>
    </div>
  );
}

/** Subscribes this browser at its push service. */
async function subscribe(publicKey: string): Promise<Record<string, string>> {
  const registration = await navigator.serviceWorker.register("/service-worker.js");
  await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? "", p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" };
}
