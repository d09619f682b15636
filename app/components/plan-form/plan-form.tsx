import { Fragment, useState } from "react";
import type { Ref } from "react";
import { useNavigation } from "react-router";
import { priceNetText } from "./price-net.ts";
import { WelcomeField } from "./welcome-field.tsx";
import { formatPercent } from "#app/domain/money.ts";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { SelectField, TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { intervalLabel, intervals } from "#app/domain/plans/rules/intervals.ts";
import { MAXIMUM_TRIAL_DAYS, typedPriceProblem } from "#app/domain/plans/rules/limits.ts";
import type { Plan } from "#app/domain/plans/schema.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type PlanFormProps = {
  /** The plan to edit; null for a new plan. */
  plan: Plan | null;
  feeBasisPoints: number;
  problem: FormProblem | undefined;
  submitLabel: string;
  /** A welcome message to start from. */
  welcomeDraft: string;
  /** The texts of a suggestion to start from. Another key fills its fields again, no others. */
  start?: { key: string; values: Record<string, string> } | null;
  /** What was typed before into the fields that no suggestion fills. */
  typedBefore?: Record<string, string> | undefined;
  nameRef?: Ref<HTMLInputElement>;
  /** Folds what a first plan does without. */
  isShort?: boolean;
  onTyped?: (form: FormData) => void;
};

/**
 * Form with a plan's text, price and seats. Shows the creator's net amount while the price is
 * typed.
 */
export function PlanForm({
  plan,
  feeBasisPoints,
  problem,
  submitLabel,
  welcomeDraft,
  start,
  typedBefore,
  nameRef,
  isShort = false,
  onTyped,
}: PlanFormProps) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  const values: Record<string, string> = {
    ...valuesOf(plan),
    ...start?.values,
    ...typedBefore,
    ...problem?.values,
  };
  const errors = problem?.errors ?? {};
  return (
    <GuardedForm
      method="post"
      className="flex flex-col gap-5"
      noValidate
      onInput={({ currentTarget }) => onTyped?.(new FormData(currentTarget))}
    >
      <ActingField />
      <FormMessage message={problem?.message} />
      <Fragment key={start?.key}>
        <TextField
          ref={nameRef}
          label="Nome"
          name="name"
          defaultValue={values.name}
          error={errors.name}
          limit={60}
          required
          placeholder="Camarim"
        />
        <TextArea
          label="Descrição"
          name="description"
          rows={2}
          defaultValue={values.description}
          error={errors.description}
          limit={300}
          required={false}
          placeholder="O que acontece antes do palco."
        />
        <TextArea
          label="Benefícios"
          name="benefits"
          rows={4}
          defaultValue={values.benefits}
          error={errors.benefits}
          required={false}
          hint="Um por linha."
        />
        <PriceFields values={values} errors={errors} feeBasisPoints={feeBasisPoints} />
      </Fragment>
      {isShort ? (
        <details open={MORE_FIELDS.some((field) => errors[field] || typedBefore?.[field])}>
          <summary className="flex min-h-11 items-center font-semibold">Mais opções</summary>
          <div className="flex flex-col gap-5 pt-3">
            <MoreFields values={values} errors={errors} welcomeDraft={welcomeDraft} />
          </div>
        </details>
      ) : (
        <MoreFields values={values} errors={errors} welcomeDraft={welcomeDraft} />
      )}
      <Button size="lg" disabled={isBusy} className="self-start">
        {submitLabel}
      </Button>
    </GuardedForm>
  );
}

/** The fields that no suggestion fills. */
const MORE_FIELDS = ["seats", "trialDays", "welcomeMessage"];

type MoreFieldsProps = {
  values: Record<string, string>;
  errors: Record<string, string>;
  welcomeDraft: string;
};

function MoreFields({ values, errors, welcomeDraft }: MoreFieldsProps) {
  return (
    <>
      <TextField
        label="Lugares"
        name="seats"
        inputMode="numeric"
        defaultValue={values.seats}
        error={errors.seats}
        required={false}
        hint="Deixe em branco para não ter limite."
      />
      <TextField
        label="Dias grátis"
        name="trialDays"
        inputMode="numeric"
        defaultValue={values.trialDays}
        error={errors.trialDays}
        required={false}
        hint={`Até ${MAXIMUM_TRIAL_DAYS}, antes da primeira cobrança, uma vez para quem nunca assinou a sua página. Deixe em branco para não ter.`}
      />
      <WelcomeField
        value={values.welcomeMessage}
        error={errors.welcomeMessage}
        draft={welcomeDraft}
      />
    </>
  );
}

type PriceFieldsProps = {
  values: Record<string, string>;
  errors: Record<string, string>;
  feeBasisPoints: number;
};

function PriceFields({ values, errors, feeBasisPoints }: PriceFieldsProps) {
  const [price, setPrice] = useState(values.price ?? "");
  const netText = priceNetText(price, feeBasisPoints);
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        <TextField
          label="Preço"
          name="price"
          prefix="R$"
          inputMode="decimal"
          autoComplete="off"
          placeholder="19,90"
          defaultValue={values.price}
          error={errors.price}
          problemOf={typedPriceProblem}
          required
          aria-describedby="price-return"
          onInput={(event) => setPrice(event.currentTarget.value)}
        />
        <SelectField
          label="Cobrança"
          name="interval"
          defaultValue={values.interval}
          error={errors.interval}
          options={intervals.map((interval) => ({
            value: interval,
            label: intervalLabel(interval),
          }))}
        />
      </div>
      <p
        id="price-return"
        aria-live="polite"
        className={`min-h-12 rounded-field px-4 py-3 font-semibold text-balance ${netText?.isProblem ? "bg-attention-soft text-attention" : "bg-signal-soft"}`}
      >
        {netText?.text ?? "Escreva o preço e veja quanto chega para você."}
      </p>
      <p className="text-small text-muted">
        A taxa do Coreto é {formatPercent(feeBasisPoints)}, já com o custo do Pix e do cartão. O
        primeiro Pix de cada pessoa fica livre em 8 dias, depois do prazo de arrependimento. De
        R$&nbsp;5,00 a R$&nbsp;5.000,00; abaixo de R$&nbsp;10,00, só Pix.
      </p>
    </div>
  );
}

function valuesOf(plan: Plan | null): Record<string, string> {
  const price = plan?.prices[0];
  return {
    name: plan?.name ?? "",
    description: plan?.description ?? "",
    benefits: plan?.benefits.join("\n") ?? "",
    price: price ? (price.amountCents / 100).toFixed(2).replace(".", ",") : "",
    interval: price?.interval ?? "monthly",
    seats: plan?.seatsLimit?.toString() ?? "",
    trialDays: plan?.trialDays ? plan.trialDays.toString() : "",
    welcomeMessage: plan?.welcomeMessage ?? "",
  };
}
