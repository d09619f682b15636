import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import SettingsLayout from "#app/routes/settings/layout.tsx";

const ALL = { isCreator: true, editsPlans: true, seesMoney: true, managesBilling: true };

test("the first heading of a page of the settings is its title, and the menu's groups have names", () => {
  const Layout = () => {
    const props = { loaderData: ALL } as Parameters<typeof SettingsLayout>[0];
    return <SettingsLayout {...props} />;
  };
  const Stub = createRoutesStub([
    {
      path: "/settings",
      Component: Layout,
      children: [{ path: "policies", Component: () => <PageHeader title="Termos" /> }],
    },
  ]);
  const html = renderToStaticMarkup(<Stub initialEntries={["/settings/policies"]} />);
  expect(/<h[1-6]/.exec(html)?.[0]).toBe("<h1");
  expect(html).toContain('<ul aria-label="O que você recebe"');
});
