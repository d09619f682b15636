import type { ComponentProps } from "react";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { CaseActionForm } from "./case-forms.tsx";
import { casePath } from "./case-path.ts";

type CaseActionPageProps = Omit<ComponentProps<typeof CaseActionForm>, "action"> & {
  title: string;
  caseId: string;
  act: "claim" | "release";
};

/** The page on which a moderator claims or releases a case, with a note. */
export function CaseActionPage({ title, caseId, act, ...form }: CaseActionPageProps) {
  return (
    <>
      <PageHeader title={title} />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <CaseActionForm action={`${casePath(caseId)}/${act}`} {...form} />
        <ButtonLink to={casePath(caseId)} variant="outline" className="self-start">
          Voltar ao caso
        </ButtonLink>
      </Card>
    </>
  );
}
