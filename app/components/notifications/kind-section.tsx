import { Card } from "#app/components/ui/card.tsx";
import type { NotificationChannel } from "#app/domain/notifications/rules/kinds.ts";

const CHANNEL_LABELS: Record<NotificationChannel, string> = {
  app: "No Coreto",
  mail: "E-mail",
  push: "Aparelhos",
};

type ShownKind = {
  kind: string;
  label: string;
  hint: string;
  channels: { channel: NotificationChannel; rule: "on" | "always" | "none"; isOn: boolean }[];
};

type KindSectionProps = {
  title: string;
  kinds: ShownKind[];
  /** What a form that was refused said. */
  typed?: Record<string, string> | undefined;
};

/** The kinds of one part of the settings, each with a check box per channel. */
export function KindSection({ title, kinds, typed }: KindSectionProps) {
  if (kinds.length === 0) return null;
  const ticked = typed && (typed["on"] ?? "").split("\n");
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
                <div className="flex shrink-0 gap-3">
                  {kind.channels.map((channel) => (
                    <ChannelBox
                      key={channel.channel}
                      kind={kind}
                      {...channel}
                      isOn={ticked?.includes(`${kind.kind}:${channel.channel}`) ?? channel.isOn}
                    />
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
  if (rule === "none") return <span className="w-24 sm:block" />;
  if (rule === "always")
    return (
      <span className="flex min-h-11 w-24 flex-col justify-center text-small leading-5 text-muted">
        {CHANNEL_LABELS[channel]}
        <span>Sempre</span>
      </span>
    );
  return (
    <label className="flex min-h-11 w-24 items-center gap-2 text-small">
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
