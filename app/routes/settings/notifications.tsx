import { Form, Link, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import {
  isNotificationKind,
  isWanted,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
  NOTIFICATION_SECTIONS,
} from "#app/domain/notifications/rules/kinds.ts";
import type {
  NotificationChannel,
  NotificationKind,
} from "#app/domain/notifications/rules/kinds.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { choicesOf } from "#app/domain/notifications/queries.server.ts";
import { digestRhythmOf } from "#app/domain/notifications/queries/digests.server.ts";
import { notificationSettingsSchema } from "#app/domain/notifications/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import type { Route } from "./+types/notifications.ts";

export const meta: Route.MetaFunction = () => [{ title: "Notificações · Ajustes · Coreto" }];

const CHANNEL_LABELS: Record<NotificationChannel, string> = { app: "No Coreto", mail: "E-mail" };

const DIGESTS = [
  { value: "never", label: "Nunca" },
  { value: "daily", label: "Todo dia", hint: "Às 8h, pelo horário de Brasília." },
  { value: "weekly", label: "Toda segunda-feira", hint: "Às 8h, pelo horário de Brasília." },
];

const CREATOR_KINDS: readonly NotificationKind[] = [
  "comment",
  "like",
  "follow",
  "subscriber",
  "sale",
  "payout",
  "dispute",
  "document",
];

/** What does not concern the person is not asked. */
function hiddenKinds(context: Route.LoaderArgs["context"]): NotificationKind[] {
  const { isCreator, isModerator } = context.get(memberContext);
  const { settings } = context.get(domainContext);
  const hasMessages = !isHiddenPath("/messages", settings);
  const hasEvents = !isHiddenPath("/events", settings);
  return [
    ...(isCreator ? [] : CREATOR_KINDS),
    ...(isModerator ? [] : (["staff"] as const)),
    ...(hasMessages ? [] : (["message"] as const)),
    ...(hasEvents ? [] : (["event"] as const)),
  ];
}

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  const [choices, digest] = await Promise.all([
    choicesOf(ctx, { personIds: [personId] }),
    digestRhythmOf(ctx, { personId }),
  ]);
  const hidden = hiddenKinds(context);
  const own = choices.get(personId) ?? [];
  const kinds = (Object.keys(NOTIFICATION_KINDS) as NotificationKind[])
    .filter((kind) => !hidden.includes(kind))
    .map((kind) => {
      const { section, label, hint, ...rules } = NOTIFICATION_KINDS[kind];
      const channels = NOTIFICATION_CHANNELS.map((channel) => ({
        channel,
        rule: rules[channel],
        isOn: isWanted(own, kind, channel),
      }));
      return { kind, section, label, hint, channels };
    });
  return { kinds, digest };
}

export async function action({ request, context }: Route.ActionArgs) {
  const hidden = hiddenKinds(context);
  return await handleForm(request, notificationSettingsSchema, async ({ on, digest, shown }) => {
    await chooseNotifications(context.get(domainContext), {
      personId: context.get(memberContext).id,
      on,
      digest,
      shown: shown.filter(isNotificationKind).filter((kind) => !hidden.includes(kind)),
    });
    return await redirectWithToast(request, "/settings/notifications", {
      kind: "success",
      message: "Salvo.",
    });
  });
}

type ShownKind = Route.ComponentProps["loaderData"]["kinds"][number];

export default function NotificationSettings({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Notificações"
        lead="O que avisar, e por onde. O que protege a sua conta ou o seu dinheiro chega sempre."
      />
      <Form method="post" className="flex flex-col gap-6">
        <FormMessage message={actionData?.message} />
        {Object.entries(NOTIFICATION_SECTIONS).map(([section, title]) => (
          <Section
            key={section}
            title={title}
            kinds={loaderData.kinds.filter((one) => one.section === section)}
          />
        ))}
        <Card className="p-5 sm:p-6">
          <Choices
            legend="Resumo por e-mail do que você não leu"
            name="digest"
            options={DIGESTS}
            defaultValue={loaderData.digest}
            error={actionData?.errors["digest"]}
            hint="Um e-mail só, e só quando há novidade."
          />
        </Card>
        <p className="text-small text-muted">
          Para não receber avisos sobre uma pessoa,{" "}
          <Link to="/settings/connections" className="underline">
            silencie a página dela
          </Link>
          .
        </p>
        <Button disabled={isBusy} className="self-start">
          Salvar
        </Button>
      </Form>
    </>
  );
}

function Section({ title, kinds }: { title: string; kinds: ShownKind[] }) {
  if (kinds.length === 0) return null;
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="text-[1.125rem] leading-6">{title}</h2>
      <Card className="overflow-hidden">
        <ul className="divide-y divide-line">
          {kinds.map((kind) => (
            <li key={kind.kind} className="px-5 py-4">
              <fieldset
                aria-describedby={`${kind.kind}-hint`}
                className="flex flex-col gap-x-6 gap-y-1 sm:flex-row sm:items-center"
              >
                <legend className="sr-only">{kind.label}</legend>
                <input type="hidden" name="shown" value={kind.kind} />
                <div className="flex min-w-0 flex-1 flex-col">
                  <span aria-hidden="true" className="font-semibold">
                    {kind.label}
                  </span>
                  <span id={`${kind.kind}-hint`} className="text-small text-muted">
                    {kind.hint}
                  </span>
                </div>
                <div className="flex shrink-0 gap-4">
                  {kind.channels.map((channel) => (
                    <ChannelBox key={channel.channel} kind={kind} {...channel} />
                  ))}
                </div>
              </fieldset>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

type ChannelBoxProps = { kind: ShownKind } & ShownKind["channels"][number];

/** A check box of one kind in one channel; a text where nobody may switch it off. */
function ChannelBox({ kind, channel, rule, isOn }: ChannelBoxProps) {
  if (rule === "none") return <span className="hidden w-28 sm:block" />;
  if (rule === "always")
    return (
      <span className="flex min-h-11 w-28 flex-col justify-center text-small leading-5 text-muted">
        {CHANNEL_LABELS[channel]}
        <span>Sempre</span>
      </span>
    );
  return (
    <label className="flex min-h-11 w-28 items-center gap-2 text-small">
      <input
        type="checkbox"
        name="on"
        value={`${kind.kind}:${channel}`}
        defaultChecked={isOn}
        className="size-5 shrink-0 accent-leaf"
      />
      {CHANNEL_LABELS[channel]}
    </label>
  );
}
