import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { AccountLinks } from "#app/components/account/account-links.tsx";
import { barDestinations } from "#app/components/shell/navigation/navigation.ts";
import { settingsMenu } from "#app/components/shell/navigation/settings-menu.ts";
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

test("no two pages that a member is led to have one name", () => {
  const Stub = createRoutesStub([{ path: "/", Component: () => <AccountLinks isOwnIdentity /> }]);
  const ofAccount = [
    ...renderToStaticMarkup(<Stub />).matchAll(
      /<a [^>]*href="([^"]+)"[^>]*>.*?<span[^>]*>([^<]+)</gs,
    ),
  ].map(([, to = "", label = ""]) => ({ to, label }));
  expect(ofAccount.map(({ label }) => label)).toContain("Nome e foto");
  const who = { isCreator: true, publishes: true, readsMessages: true };
  const led = [
    ...barDestinations({ ...who, uncompletedFeatures: true }),
    ...settingsMenu(ALL).flatMap(({ items }) => items),
    ...ofAccount,
  ];
  const byName = Map.groupBy(led, ({ label }) => label);
  const shared = [...byName].filter(([, pages]) => new Set(pages.map(({ to }) => to)).size > 1);
  expect(shared).toEqual([]);
});
