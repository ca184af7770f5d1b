package secret

import "testing"

func TestScanCommands(t *testing.T) {
	runScan(t, map[string]scanCase{
		"Arguments": {
			reason: "A flag has its value behind an equals sign or in the next element.",
			text: `
args: [--user=app, --db-password=Xk29, --token, 8f1d, --config=/etc/x, --password, $(PW), --api-key, --verbose]
more: [--password-file, /x, --token=$TOKEN, --auth-token-webhook=yes9, --secret=ns/my-tls, -password=Xk29]
sh: [sh, -c, "login --password Xk29 && run --token ${T} --password-stdin"]
`,
			want: map[string][]string{"args[1]": argument, "args[3]": argument, "more[5]": argument, "sh[2]": argument},
		},
		"Users": {
			reason: "curl and login take passwords in flags that elsewhere mean something else.",
			text: `
list:
- curl -u admin:Xk29 http://x
- curl -s -uadmin:Xk29 http://x
- curl --user admin:$PW http://x
- docker run -u 1000:1000 x
- docker run -u app:app x
- docker login -u me -p Xk29 registry.test
- 'curl -H "Private-Token: Xk29" http://x'
- 'curl -H "Accept: text/html" http://x'
- "curl \\\n  -u admin:Xk29 \\\n  http://x"
args: [curl, -u, "admin:Xk29"]
`,
			want: map[string][]string{
				"list[0]": argument, "list[1]": argument, "list[5]": argument, "list[6]": argument, "list[8]": argument,
				"args[2]": argument,
			},
		},
		"Headers": {
			reason: "The credentials of an Authorization header are a secret in every spelling of the header.",
			text: `
a: "curl -H 'Authorization: Bearer eyJx.y.z' http://x"
b: {Authorization: Basic dXNlcjpwdw==}
c: {authorization: "Bearer {{ .token }}"}
d: "Bearer eyJhbGciOi.x.y"
e: "curl -H \"Authorization: Bearer $TOKEN\""
f: "Authorization: Bearer <token>"
g: {authorization: simple}
h: Basic authentication
i: {headers: [{name: Authorization, value: Bearer eyJx.y.z}]}
j: "the header Authorization: Bearer token is needed"
`,
			want: map[string][]string{
				"a": header, "b.Authorization": header, "d": header, "f": {"info secret-authorization"}, "i.headers[0].value": header,
			},
		},
		"Java": {
			reason: "The JDK's default key store password guards nothing and is known to all; others are secrets.",
			text: `
a: -Xmx1g -Djavax.net.ssl.keyStorePassword=changeit -Dlog=x
b: -Djavax.net.ssl.trustStorePassword=Xk29
c: -Ddb.password=${DB_PASSWORD}
`,
			want: map[string][]string{
				"a": {"warning secret-java-property"}, "b": {"error secret-java-property"},
			},
		},
		"Files": {
			reason: "Configuration files inside a string hold secrets line by line, in every common syntax.",
			text: `
ini: |
  [security]
  admin_password = Xk29
ref: |
  [security]
  admin_password = $__env{PW}
props: "a=b\nspring.datasource.password=Xk29\n"
redis: "maxmemory 1g\nrequirepass Xk29\n"
script: |
  export DB_PASSWORD=Xk29
  run
safe: |
  set -e
  export DB_PASSWORD="$(cat /run/secrets/db)"
  TOKEN=$1
  if [ "$PASSWORD" = "" ]; then echo "password: not set"; fi
  token == "abc"
  password = config.database.password
json: |
  curl -d '{"user":"me","password":"Xk29"}' http://x
conn: Server=db;User Id=sa;Password=Xk29;
helm: helm install --set auth.password=Xk29 x
literals: [password=Xk29, level=debug]
query: sum(rate({token="x9"}[5m]))
`,
			want: map[string][]string{
				"ini": assignment, "props": assignment, "redis": assignment, "script": assignment, "json": assignment,
				"conn": assignment, "helm": assignment, "literals[0]": assignment,
			},
		},
	})
}
