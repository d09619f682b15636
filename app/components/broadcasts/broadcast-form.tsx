import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { Attachment } from "#app/components/messages/files/attachment.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { BROADCAST_MAX, SEGMENT_LABELS, SEGMENTS } from "#app/domain/broadcasts/rules.ts";
import type { Broadcast } from "#app/domain/broadcasts/schema.ts";
import { FILE_LABELS } from "#app/domain/messages/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type BroadcastFormProps = {
  plans: { id: string; name: string }[];
  /** Offers a price for the files. */
  canSellFiles: boolean;
  /** The broadcast that is changed; without it, a new one. */
  broadcast?: Pick<
    Broadcast,
    "segment" | "planIds" | "text" | "files" | "isSensitive" | "priceCents"
  >;
  problem: FormProblem | undefined;
};

/** The form "Mensagem para muitos": who gets it, its text and files. It sends nothing. */
export function BroadcastForm({ plans, canSellFiles, broadcast, problem }: BroadcastFormProps) {
  const [wait, setWait] = useState<string | null>(null);
  const isBusy = useNavigation().state !== "idle";
  const planIds = problem ? (problem.values["planIds"] ?? "").split("\n") : broadcast?.planIds;
  // A creator without plans has only followers.
  const segments = plans.length === 0 ? (["followers"] as const) : SEGMENTS;
  return (
    <Form method="post" encType="multipart/form-data" className="flex flex-col gap-5">
      <ActingField />
      <FormMessage message={problem?.message} link={problem?.link} />
      <Choices
        legend="Quem recebe"
        name="segment"
        options={segments.map((value) => ({ value, ...SEGMENT_LABELS[value] }))}
        defaultValue={problem?.values["segment"] ?? broadcast?.segment ?? segments[0]}
        error={problem?.errors["segment"]}
      />
      {plans.length === 0 ? null : (
        <Choices
          legend="Planos"
          name="planIds"
          type="checkbox"
          hint="Só conta para “Assinantes de alguns planos”."
          options={plans.map(({ id, name }) => ({ value: id, label: name }))}
          defaultValue={planIds}
          error={problem?.errors["planIds"]}
        />
      )}
      <TextArea
        label="Mensagem"
        name="text"
        rows={8}
        limit={BROADCAST_MAX}
        defaultValue={problem?.values["text"] ?? broadcast?.text}
        error={problem?.errors["text"]}
        hint="Escreva {nome} onde deve entrar o primeiro nome de cada pessoa."
      />
      <SavedFiles files={broadcast?.files ?? []} problem={problem} />
      <Attachment
        uploadPath="/messages/broadcasts/files"
        problem={problem}
        canSell={canSellFiles}
        canRecord={false}
        {...(broadcast ? { initial: savedFields(broadcast) } : {})}
        onWait={setWait}
      />
      {wait === null ? null : (
        <p role="status" className="text-small text-muted">
          {wait}
        </p>
      )}
      <Button disabled={isBusy || wait !== null} className="self-start">
        Ver antes de enviar
      </Button>
    </Form>
  );
}

type SavedBroadcast = NonNullable<BroadcastFormProps["broadcast"]>;

const savedFields = ({ priceCents, isSensitive }: SavedBroadcast) => ({
  price: priceCents === null ? undefined : formatMoney(priceCents).replace(/^R\$\s*/, ""),
  isSensitive,
});

/** The files that the broadcast has. An unchecked one is removed. */
function SavedFiles({
  files,
  problem,
}: {
  files: SavedBroadcast["files"];
  problem: FormProblem | undefined;
}) {
  if (files.length === 0) return null;
  const ids = files.map(({ id }) => id);
  return (
    <Choices
      legend="Arquivos guardados"
      name="savedFileIds"
      type="checkbox"
      hint="Desmarque os que devem sair da mensagem."
      options={files.map(({ id, kind, alt, filename }, at) => ({
        value: id,
        label: `${at + 1}. ${alt || filename || FILE_LABELS[kind]}`,
      }))}
      defaultValue={problem ? (problem.values["savedFileIds"] ?? "").split("\n") : ids}
    />
  );
}
