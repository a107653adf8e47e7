/// The grammar of rules files with the mistakes it foresees: a text in braces is the message for one, reported at
/// the token that follows. Reconstructed from the answers of the official emulator 1.19.9 to broken rulesets.
enum Grammar {
  static let leftRecursiveRule = "expression"

  private static let reader = GrammarReader(text)
  static let automaton = Automaton(reader)
  static let typeRule = reader.number("type")

  // Messages that depend on the text.
  static let typeTest = "is"
  /// In the order of the official message.
  static let typeNames = [
    "bool", "bytes", "constraint", "duration", "float", "int", "latlng", "list", "vector", "set", "number", "map",
    "string", "timestamp", "path", "map_diff",
  ]
  static let importAlias = "as"
  static let serviceName = "service"
  static let wordsNotNamingServices: Set<String> = [
    "allow", "deny", "false", "function", "if", "import", "in", "is", "match", "null", "return", "service", "true",
  ]

  static let text = """
    ruleset : version? import* ( function | service )+ EOF ;
    version : 'rules_version' '=' STRING ';'? ;
    import : 'import' STRING ';'
      | 'import' STRING {as} IDENTIFIER IDENTIFIER ';' ;
    service : 'service' {service} SERVICE_NAME '{' ( function | match )+ '}'
      | 'service' {service} SERVICE_NAME '{' {The 'service' body must contain at least one declaration.} '}' ;
    match : 'match' path '{' item+ '}'
      | 'match' path '{' {The 'match' body must contain at least one declaration.} '}'
      | {Missing 'match' keyword before path.} path '{' '}' ;
    item : allow | function | match ;
    path : segment+ ;
    segment : PATH_SEGMENT
      | '/' '{' IDENTIFIER ( '=' '*' )? '}'
      | '/' '{' IDENTIFIER ( '=' '*' )? '}' {Extra closing '}' in path.} '}'
      | '/' '{' IDENTIFIER '=' '**' '}'
      | '/' '{' IDENTIFIER '=' '**' '}' {Exra closing '}' in path.} '}'
      | {Forward slash '/' found where identifier or binding expected.} '/' ;
    allow : 'allow' methods
        ( ':' 'if' expression
        | {Missing ':' before 'if' condition.} 'if' expression
        | ':' {Missing 'if' before conditional expression.} expression
        | ':' 'if' {Missing conditional expression after 'if'.} )? ';'?
      | 'allow' {Expected at least one 'operation' after 'allow'.} ;
    methods : IDENTIFIER ( ',' IDENTIFIER )*
      | IDENTIFIER ( ',' IDENTIFIER )* {Unexpected ','.} ',' ;
    function : 'function' IDENTIFIER signature '{' body '}'
      | 'function' IDENTIFIER signature '{' {Missing 'function' body} '}'
      | 'function' IDENTIFIER {Missing 'function' signature} '{' body '}'
      | 'function' {Missing 'function' id} signature '{' body '}' ;
    signature : '(' parameters? ')'
      | '(' parameters? ')' {Extra closing ')' at the end of parameter list.} ')' ;
    parameters : IDENTIFIER ( ',' IDENTIFIER )* ;
    body : let* return ;
    return : 'return' expression ';'? ;
    let : 'let' variable '=' expression ';' ;
    variable : IDENTIFIER ;
    expression :
      ( postfix
      | postfix ( '++' | '--' ) {Increment (++) and decrement (--) operators are not supported.}
      | ( '++' | '--' ) {Increment (++) and decrement (--) operators are not supported.} postfix
      | '-' postfix
      | '!' expression[10] )
      ( <9> ( '*' | '/' | '%' ) expression[10]
      | <8> ( '+' | '-' ) expression[9]
      | <7> ( '<' | '<=' | '>' | '>=' ) expression[8]
      | <6> ( '==' | '!=' ) expression[7]
      | <5> 'is' type {is}
      | <4> 'in' expression[5]
      | <3> '&&' expression[4]
      | <2> '||' expression[3]
      | <1> '?' expression ':' expression[1] )* ;
    type : IDENTIFIER ;
    postfix : primary ( '.' name | '.' IDENTIFIER '(' arguments? ')' | '[' expression ']' | '[' expression? ':' expression? ']' )* ;
    name : IDENTIFIER | 'allow' | 'false' | 'function' | 'if' | 'import' | 'in' | 'is' | 'let' | 'match'
      | 'null' | 'return' | 'service' | 'true' | RESERVED_WORD ;
    primary : 'null' | 'true' | 'false' | NUM_INT | NUM_FLOAT | STRING | BYTES
      | UNPAIRED_SINGLE_QUOTE {Missing a closing '}
      | UNPAIRED_DOUBLE_QUOTE {Missing a closing "}
      | IDENTIFIER
      | IDENTIFIER '(' arguments? ')'
      | '(' expression ')'
      | '[' arguments? ']'
      | '{' entries? '}'
      | valuePath ;
    arguments : expression ( ',' expression )* ','? ;
    entries : entry ( ',' entry )* ','? ;
    entry : expression ':' expression ;
    valuePath : valueSegment+ ;
    valueSegment : plainSegment | '/' '$' '(' expression ')' ;
    plainSegment : PATH_SEGMENT
      | '/' '{' IDENTIFIER ( '=' '*' )? '}'
      | '/' '{' IDENTIFIER ( '=' '*' )? '}' {Extra closing '}' in path.} '}'
      | '/' '{' IDENTIFIER '=' '**' '}'
      | '/' '{' IDENTIFIER '=' '**' '}' {Exra closing '}' in path.} '}'
      | {Forward slash '/' found where identifier or binding expected.} '/' ;
    """
}
