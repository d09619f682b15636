import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useSubmit } from "react-router";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { runPasskeyCeremony } from "./run-passkey.ts";

/**
 * Passkey sign-in button. Shows only with JavaScript, which passkeys need. It has its place from
 * the first paint on, so that nothing moves under the reader's finger when the script starts.
 */
export function PasskeySignIn({ to }: { to: string }) {
  const submit = useSubmit();
  const isAwake = useHydrated();
  const [message, setMessage] = useState<string | null>(null);
  const enter = async () => {
    setMessage(null);
    const ceremony = await runPasskeyCeremony("use", "/auth/passkey/options", new FormData());
    if (!ceremony.done) return setMessage(ceremony.message);
    const action = to === "/" ? "/auth/passkey" : `/auth/passkey?to=${encodeURIComponent(to)}`;
    return submit({ response: ceremony.response }, { method: "post", action });
  };
  return (
    <div className="mt-4 flex flex-col gap-3 noscript:hidden">
      <Button type="button" variant="outline" size="lg" disabled={!isAwake} onClick={enter}>
        <KeyRound aria-hidden="true" className="size-5" />
        Entrar com chave de acesso
      </Button>
      <FormMessage message={message} />
    </div>
  );
}
