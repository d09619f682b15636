import { Form, Link, useNavigation } from "react-router";
import { KindSection } from "#app/components/notifications/kind-section.tsx";
import { OpeningCount } from "#app/components/notifications/opening-count.tsx";
import { PushDevices } from "#app/components/notifications/push-devices.tsx";
import { StoppedAddress } from "#app/components/notifications/stopped-address.tsx";
import { StoppedNewsletters } from "#app/components/notifications/stopped-newsletters.tsx";
import { QuietHours } from "#app/components/notifications/quiet-hours.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { forgetOpenings } from "#app/domain/newsletters/commands/reactions.server.ts";
import {
  countsOpenings,
  isNotificationKind,
  isWanted,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
  NOTIFICATION_SECTIONS,
} from "#app/domain/notifications/rules/kinds.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import { chooseNotifications } from "#app/domain/notifications/commands/choices.server.ts";
import { choicesOf, stoppedCreators } from "#app/domain/notifications/queries.server.ts";
import { stoppedAddressOf } from "#app/domain/notifications/queries/addresses.server.ts";
import { digestRhythmOf } from "#app/domain/notifications/queries/digests.server.ts";
import { devicesOf } from "#app/domain/notifications/queries/devices.server.ts";
import { hoursOf } from "#app/domain/notifications/queries/sending.server.ts";
import { notificationSettingsSchema } from "#app/domain/notifications/schema.ts";
import { formatAgo, formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import type { Route } from "./+types/notifications.ts";

export const meta: Route.MetaFunction = () => [{ title: "Preferências de notificação · Coreto" }];

const DIGESTS = [
  { value: "never", label: "Nunca" },
  { value: "daily", label: "Todo dia", hint: "Às 8h, no seu fuso horário." },
  { value: "weekly", label: "Toda segunda-feira", hint: "Às 8h, no seu fuso horário." },
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
  const hasEvents = !isHiddenPath("/events", settings);
  return [
    ...(isCreator ? [] : CREATOR_KINDS),
    ...(isModerator ? [] : (["staff"] as const)),
    ...(hasEvents ? [] : (["event"] as const)),
  ];
}

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id: personId } = context.get(memberContext);
  const [choices, digest, hours, devices, stopped, address] = await Promise.all([
    choicesOf(ctx, { personIds: [personId] }),
    digestRhythmOf(ctx, { personId }),
    hoursOf(ctx, { personId }),
    ctx.push ? devicesOf(ctx, { personId }) : [],
    stoppedCreators(ctx, { personId }),
    stoppedAddressOf(ctx, { personId }),
  ]);
  const hidden = hiddenKinds(context);
  const own = choices.get(personId) ?? [];
  const kinds = (Object.keys(NOTIFICATION_KINDS) as NotificationKind[])
    .filter((kind) => !hidden.includes(kind))
    .map((kind) => {
      const { section, label, hint, ...rules } = NOTIFICATION_KINDS[kind];
      const offered = NOTIFICATION_CHANNELS.filter((channel) => channel !== "push" || ctx.push);
      const channels = offered.map((channel) => ({
        channel,
        rule: rules[channel],
        isOn: isWanted(own, kind, channel),
      }));
      return { kind, section, label, hint, channels };
    });
  const now = ctx.now();
  return {
    kinds,
    channels: NOTIFICATION_CHANNELS.filter((channel) => channel !== "push" || ctx.push),
    digest,
    hours,
    stopped,
    address: address && { ...address, since: formatDay(address.since) },
    areOpeningsCounted: countsOpenings(own),
    pushKey: ctx.push?.publicKey ?? null,
    devices: devices.map(({ id, label, createdAt }) => ({
      id,
      label,
      since: formatAgo(createdAt, now),
    })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const hidden = hiddenKinds(context);
  return await handleForm(request, notificationSettingsSchema, async (form) => {
    const { on, digest, shown, channels, openings, timeZone, quietFrom, quietUntil } = form;
    await chooseNotifications(context.get(domainContext), {
      personId: context.get(memberContext).id,
      on,
      digest,
      areOpeningsCounted: openings && openings === "counted",
      hours: {
        timeZone,
        quiet:
          quietFrom === null || quietUntil === null
            ? null
            : { fromMinute: quietFrom, untilMinute: quietUntil },
      },
      shown: shown.filter(isNotificationKind).filter((kind) => !hidden.includes(kind)),
      channels,
    });
    if (openings === "refused")
      await forgetOpenings(context.get(domainContext), { personId: context.get(memberContext).id });
    return await redirectWithToast(request, "/settings/notifications", {
      kind: "success",
      message: "Salvo.",
    });
  });
}

export default function NotificationSettings({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Preferências de notificação"
        lead="O que avisar, e por onde. O que protege a sua conta ou o seu dinheiro chega sempre."
      />
      {loaderData.address ? <StoppedAddress {...loaderData.address} /> : null}
      {loaderData.pushKey === null ? null : (
        <PushDevices publicKey={loaderData.pushKey} devices={loaderData.devices} />
      )}
      <Form method="post" className="flex flex-col gap-6">
        <FormMessage message={actionData?.message} />
        {loaderData.channels.map((channel) => (
          <input key={channel} type="hidden" name="channels" value={channel} />
        ))}
        {Object.entries(NOTIFICATION_SECTIONS).map(([section, title]) => (
          <KindSection
            key={section}
            title={title}
            kinds={loaderData.kinds.filter((one) => one.section === section)}
            typed={actionData?.values}
          />
        ))}
        <Card className="p-5 sm:p-6">
          <Choices
            legend="Resumo por e-mail do que você não leu"
            name="digest"
            options={DIGESTS}
            defaultValue={actionData?.values["digest"] ?? loaderData.digest}
            error={actionData?.errors["digest"]}
            hint="Um e-mail só, e só quando há novidade."
          />
        </Card>
        <OpeningCount
          isCounted={loaderData.areOpeningsCounted}
          typed={actionData?.values["openings"]}
          error={actionData?.errors["openings"]}
        />
        <QuietHours hours={loaderData.hours} problem={actionData} />
        <p className="text-small text-muted">
          Para não receber avisos sobre uma pessoa,{" "}
          <Link to="/settings/connections" className="underline">
            silencie a página dela
          </Link>
          . Para não receber os de uma publicação, abra o menu dela.
        </p>
        <Button disabled={isBusy} className="self-start">
          Salvar
        </Button>
      </Form>
      <StoppedNewsletters creators={loaderData.stopped} />
    </>
  );
}
