import { useState } from "react";
import { Form } from "react-router";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { AboutFields } from "#app/components/profiles/profile-fields.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { updatePagePart } from "#app/domain/profiles/commands/first-steps.server.ts";
import { bioStepSchema } from "#app/domain/profiles/schema.ts";
import { formText } from "#app/lib/form-text.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { firstStepPathOf, loadStep } from "./step.server.ts";
import type { Route } from "./+types/bio.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "O que você faz · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { steps, preview, profile } = await loadStep({ context });
  const { craft, category, bio } = profile;
  return { steps, preview, initial: { craft, category, bio } };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const creatorId = context.get(memberContext).id;
  return await handleForm(request, bioStepSchema, async (part) => {
    await updatePagePart(ctx, { creatorId, part });
    return await redirectWithToast(
      request,
      await firstStepPathOf(ctx, { creatorId, after: "bio" }),
      {
        kind: "success",
        message: "Texto salvo.",
      },
    );
  });
}

/** What the page is about. A page has it since it was opened; here it is changed. */
export default function BioStep({ loaderData, actionData }: Route.ComponentProps) {
  const { initial, steps, preview } = loaderData;
  const [typed, setTyped] = useState<{ craft: string; bio: string } | null>(null);
  useFirstError(actionData);
  return (
    <StepFrame step="bio" steps={steps} preview={{ ...preview, ...typed }}>
      <Form
        method="post"
        noValidate
        className="flex flex-col gap-5"
        onInput={({ currentTarget }) => {
          const form = new FormData(currentTarget);
          setTyped({ craft: formText(form, "craft"), bio: formText(form, "bio") });
        }}
      >
        <FormMessage message={actionData?.message} />
        <AboutFields initial={initial} problem={actionData} isRequired />
        <Button size="lg" variant="outline" className="self-start">
          Salvar texto
        </Button>
      </Form>
    </StepFrame>
  );
}
