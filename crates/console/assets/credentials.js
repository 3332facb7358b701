// Credentials: typed in, kept in this tab, used to sign calls.
import { currentCredentials, useCredentials } from "./client.js";
import { open } from "./dialog.js";
import { field, h } from "./dom.js";

/** Asks for credentials; `done` is called when there are others. */
export function askForCredentials(done, why = null) {
  const now = currentCredentials() ?? {};
  const input = (name, type = "text") =>
    h("input", { name, type, value: now[name] ?? "", autocomplete: "off", spellcheck: "false" });
  const inputs = {
    accessKeyId: input("accessKeyId"),
    secretAccessKey: input("secretAccessKey", "password"),
    sessionToken: input("sessionToken", "password"),
    region: h("input", { name: "region", value: now.region ?? "us-east-1" }),
  };
  const finish = (credentials) => {
    useCredentials(credentials);
    dialog.close();
    done();
  };
  const save = () =>
    finish(Object.fromEntries(Object.entries(inputs).map(([name, element]) => [name, element.value.trim()])));
  const dialog = open(
    "Credentials",
    [
      why ? h("div.note", why) : null,
      h(
        "p.muted",
        "Calls are signed with this key in the browser. It is kept in this tab only, until the tab is closed.",
      ),
      field("Access key ID", inputs.accessKeyId),
      field("Secret access key", inputs.secretAccessKey),
      field("Session token, if there is one", inputs.sessionToken),
      field("Region", inputs.region),
    ],
    [
      h("button", { type: "button", onclick: () => finish(null) }, "Use none"),
      h("button.primary", { type: "button", onclick: save }, "Use"),
    ],
    { class: "narrow" },
  );
  inputs.accessKeyId.focus();
}
