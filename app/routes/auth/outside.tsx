import { OutsideButtons } from "#app/components/account/outside-buttons.tsx";
import { OutsideRefusal } from "#app/components/account/outside-refusal.tsx";
import { outsideStartSchema } from "#app/domain/identity/schema/outside.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { loginPath } from "#app/lib/own-path.ts";
import { leaveFor, outsideProvider, whereTo } from "#app/http/outside.server.ts";
import { CONNECTIONS } from "#app/domain/identity/schema/outside.ts";
import type { Route } from "./+types/outside.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Entrar com ${loaderData?.name ?? "outra conta"} · Coreto` },
];

export function loader({ context, params, url }: Route.LoaderArgs) {
  const { id, name } = outsideProvider(context.get(cloudflareContext).env, params.provider);
  const to = whereTo(url);
  return { id, name, to, back: context.get(viewerContext) ? CONNECTIONS : loginPath(to) };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return submitted(request, outsideStartSchema, async ({ purpose }) =>
    leaveFor(asked, { id: params.provider, purpose, to: whereTo(url) }),
  );
}

/** The buttons are on other pages: here lands who was refused, or followed the address by hand. */
export default function Outside({
  loaderData: { id, name, to, back },
  actionData,
}: Route.ComponentProps) {
  return (
    <OutsideRefusal name={name} message={actionData?.message ?? null} back={back}>
      <OutsideButtons choices={[{ id, name }]} to={to} />
    </OutsideRefusal>
  );
}
