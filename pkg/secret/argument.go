package secret

import (
	"iter"
	"strings"
)

// findArguments finds secrets in command lines: --db-password=x, --token x, -Dy.password=x, curl -u user:x,
// docker login -p x and curl -H "Private-Token: x".
func findArguments(text string, report reporter) {
	if !strings.Contains(text, "-") || !mentions(text) && !takesPassword(text) {
		return
	}
	var args argumentReader
	for start, line := range lines(text) {
		last := ""
		for at, word := range words(line) {
			last = word
			report.found(RuleArgument, start+at, args.next(word))
			name, value, ok := strings.Cut(word, "=")
			if !ok || !isFlag(name) {
				continue
			}
			if property, ok := strings.CutPrefix(name, "-D"); ok {
				report.found(RuleJavaProperty, start+at, judgeProperty(property, value))
			} else {
				report.found(RuleArgument, start+at, judgeText(name, value))
			}
		}
		if last != `\` { // the command goes on in the next line
			args = argumentReader{}
		}
	}
}

// judgeProperty judges a Java property. "changeit" is what every JDK protects its key stores with.
func judgeProperty(name, value string) verdict {
	v := judgeText(name, value)
	if v == literal && unquote(value) == "changeit" {
		return wellKnown
	}
	return v
}

// argumentReader reads the words of a command in order and judges those that an earlier one gives a meaning to.
type argumentReader struct {
	awaited string // the flag that the next word is the value of
	curl    bool
	flag    string // the flag by which the command takes a password; "" for none
	glued   bool   // only with the password in the same word
}

// takesPassword reports whether a text can hold a command that takes a password by a flag whose name does not say so.
func takesPassword(text string) bool {
	for _, name := range []string{"curl", "login", "redis-cli", "mysql", "mariadb", "mongo", "ldap", "sshpass"} {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// command reads a word as a command's name.
func (a *argumentReader) command(word string) {
	switch word = word[strings.LastIndexByte(word, '/')+1:]; word {
	case "curl":
		a.curl = true
	case "login", "sshpass", "mongosh", "mongodump", "mongorestore":
		a.flag, a.glued = "-p", false
	case "redis-cli":
		a.flag, a.glued = "-a", false
	case "ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldappasswd", "ldapwhoami":
		a.flag, a.glued = "-w", false
	case "mysql", "mysqladmin", "mysqldump", "mariadb", "mariadb-admin", "mariadb-dump":
		a.flag, a.glued = "-p", true // a bare -p asks for it
	}
}

// isRestOfFlag tells -port and -port=3306, of a program that is given a host called mysql, from -pXk29.
func isRestOfFlag(s string) bool {
	name, _, _ := strings.Cut(s, "=")
	return name == "" || wordy(name)
}

// next judges one word of the command.
func (a *argumentReader) next(word string) verdict {
	awaited := a.awaited
	a.awaited = ""
	switch {
	case word == `\`:
		a.awaited = awaited // the line goes on
	case strings.HasPrefix(word, "-") && len(word) > 1:
		if isFlag(word) && (mentions(word) || a.isShort(word)) {
			a.awaited = word
		}
		if user, ok := strings.CutPrefix(word, "-u"); ok && a.curl && user != "" {
			return judgeUser(user)
		}
		if user, ok := strings.CutPrefix(word, "--user="); ok && a.curl {
			return judgeUser(user)
		}
		if password, ok := strings.CutPrefix(word, a.flag); ok && a.glued && !isRestOfFlag(password) {
			return judgeText("password", password)
		}
	case awaited == "":
		a.command(word)
	case a.isShort(awaited):
		return a.short(awaited, word)
	default:
		return judgeText(awaited, word)
	}
	return clean
}

func isFlag(s string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "-")
	return len(name) < len(s) && isIdentifier(name) && name[0] != '-'
}

// isShort tells the flags whose name says secret only because of the command that they belong to.
func (a *argumentReader) isShort(flag string) bool {
	switch flag {
	case "-u", "--user", "-U", "--proxy-user", "-H", "--header":
		return a.curl
	}
	return flag == a.flag && !a.glued
}

func (a *argumentReader) short(flag, value string) verdict {
	switch flag {
	case "-H", "--header":
		name, value, _ := strings.Cut(value, ":")
		return judgeText(name, value)
	case a.flag:
		return judgeText("password", value)
	default:
		return judgeUser(value)
	}
}

// judgeUser judges user:password. Two numbers are a user and a group.
func judgeUser(s string) verdict {
	user, pass, ok := strings.Cut(unquote(s), ":")
	if !ok || user == "" || strings.Trim(user+pass, "0123456789") == "" {
		return clean
	}
	return judgeText("password", pass)
}

// judgeText judges a value in running text, where a shell or a program may be what reads it.
func judgeText(name, value string) verdict {
	t := tierOf(name)
	if t == plain {
		return clean
	}
	if inner, ok := templateLiteral(value); ok {
		value = inner
	}
	value = unquote(strings.TrimRight(value, `;)]},`))
	switch {
	case isTextReference(value):
		return clean
	case value == "string" || value == "stringArray": // the type, in a help text
		return clean
	case strings.EqualFold(value, strings.TrimLeft(name, "-")) && value != strings.ToLower(value):
		return clean // --password PASSWORD, in a usage line
	}
	return t.judge(value, nil)
}

// isTextReference reports whether a value in running text is something that a shell or a program resolves.
func isTextReference(s string) bool {
	if strings.HasPrefix(s, "{{") || strings.HasPrefix(s, "`") {
		return true
	}
	rest, ok := strings.CutPrefix(s, "$")
	if !ok || rest == "" {
		return false
	}
	// $2a$10$... and $6$... are hashes.
	return isLetter(rest[0]) || strings.ContainsRune("_{(", rune(rest[0])) || len(rest) == 1
}

// words yields the words of a line of a command with their offsets, quotes taken off. A quote that does not close on the
// line is an apostrophe.
func words(line string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		var single [2]bool // a quote of the kind had no partner: further on there is none either
		for i := 0; i < len(line); {
			if line[i] == ' ' || line[i] == '\t' {
				i++
				continue
			}
			end, word := cutWord(line, i, &single)
			if !yield(i, word) {
				return
			}
			i = end
		}
	}
}

// cutWord cuts the word that starts at i and returns where it ends.
func cutWord(line string, i int, single *[2]bool) (int, string) {
	var b strings.Builder
	for i < len(line) && line[i] != ' ' && line[i] != '\t' {
		c, kind := line[i], 0
		if c == '"' {
			kind = 1
		}
		if (c == '"' || c == '\'') && !single[kind] {
			if end := strings.IndexByte(line[i+1:], c); end >= 0 {
				b.WriteString(line[i+1 : i+1+end])
				i += end + 2
				continue
			}
			single[kind] = true
		}
		b.WriteByte(c)
		i++
	}
	return i, b.String()
}
